import Testing

@testable import LinkSimulator

struct SenderJoiningTests {
  private static let clock = TickClock(KeyedRandom(seed: 1))

  /// A sender of separate small segments of 40 bytes, after its retransmission timer has expired.
  private func timedOut(
    _ control: PathConfiguration.CongestionControl = .cubic, segments: Int = 5, length: Int64 = 40,
    received: Int = 0
  ) -> (sender: Sender, now: Int64) {
    var sender = Sender(control, clock: Self.clock)
    sender.begin(at: 0, roundTrip: 100_000_000, windowEdge: 64_240, isCongested: false)
    for _ in 0..<segments {
      sender.written += length
      while sender.takeWritten(), sender.nextSegment(at: 0) != nil {}
      sender.sendingEnded(sentAny: true, at: 0)
    }
    if received > 0 { acknowledge(received, &sender, at: 100_000_000) }
    while true {
      let now = sender.deadline
      switch sender.timerFired(at: now) {
      case .probe(let number):
        sender.resent(number, at: now, isProbe: true)
        sender.probeSent(at: now)
      default: return (sender, now)
      }
    }
  }

  private func acknowledge(_ number: Int, _ sender: inout Sender, at now: Int64, block: Range<Int>? = nil) {
    var packet = Packet(kind: .segment, owner: 0, flow: 0, size: 52)
    packet.acknowledged = number
    packet.windowEdge = sender.windowEdge
    if let block { packet.blocks.append(SelectiveBlocks.Block(start: block.lowerBound, end: block.upperBound)) }
    _ = sender.acknowledge(packet, at: now)
  }

  @Test func `small lost segments are retransmitted in one packet`() {
    var (sender, now) = timedOut()
    #expect(sender.join(to: 0) == 4)
    sender.resent(0, at: now, isProbe: false)
    #expect(sender.board[0].length == 200 && sender.board[0].end == 200)
    #expect(sender.board.packetsOut == 1 && sender.board.inFlight == 1 && sender.board.buffersOut == 1)
    // Joined segments stay joined.
    #expect(sender.join(to: 0) == 4 && sender.board.packetsOut == 1)
    acknowledge(5, &sender, at: now + 100_000_000)
    #expect(sender.board.packetsOut == 0 && sender.board.buffersOut == 0 && sender.acknowledged == 200)
    #expect(sender.board.lostOut == 0 && sender.board.retransmittedOut == 0)
  }

  @Test func `joined segments fit into one packet and leave out acknowledged ones`() {
    var (full, _) = timedOut(length: 400)
    #expect(full.join(to: 0) == 2 && full.board[0].length == 1_200)
    var (holed, now) = timedOut()
    acknowledge(0, &holed, at: now, block: 2..<3)
    #expect(holed.join(to: 0) == 1)
    var (whole, _) = timedOut(segments: 2, length: 1_448)
    #expect(whole.join(to: 0) == 0)
  }

  @Test func `acknowledging a part of a joined packet does not count as progress`() {
    var (sender, now) = timedOut()
    _ = sender.join(to: 0)
    sender.resent(0, at: now, isProbe: false)
    sender.backOff(at: now)
    let (deadline, delivered) = (sender.deadline, sender.delivered)
    acknowledge(3, &sender, at: now + 100_000_000)
    #expect(sender.acknowledged == 120 && sender.board[3].length == 80)
    #expect(sender.board.packetsOut == 1 && sender.deadline == deadline && sender.delivered == delivered)
    acknowledge(3, &sender, at: now + 150_000_000, block: 4..<5)
    #expect(sender.board.sackedOut == 0)
    acknowledge(5, &sender, at: now + 200_000_000)
    #expect(sender.board.packetsOut == 0 && sender.delivered == delivered + 1)
  }

  @Test func `the rest of a joined packet keeps the delivery state of its retransmission`() {
    var (sender, now) = timedOut(.bbr, received: 1)
    _ = sender.join(to: 1)
    sender.resent(1, at: now, isProbe: false)
    acknowledge(3, &sender, at: now + 100_000_000)
    #expect(sender.rack.resent[0].number == 3)
    var latest = LatestArrival()
    latest.take(3, sender.board[3])
    let sample = sender.rates[0].take(latest, delivered: 3, newly: 1, at: now + 200_000_000, shortest: 1)
    // The handshake's segment and one more were received before the retransmission, one before the first sending.
    #expect(sample.prior == 2 && sample.count == 1)
  }

  @Test func `joined segments that arrive one by one count as received when the last one arrives`() {
    var (sender, now) = timedOut(length: 400)
    #expect(sender.join(to: 0) == 2 && sender.join(to: 3) == 1)
    acknowledge(0, &sender, at: now + 100_000_000, block: 3..<4)
    #expect(sender.board.sackedOut == 0)
    acknowledge(0, &sender, at: now + 110_000_000, block: 3..<5)
    #expect(sender.board.sackedOut == 1)
  }

  @Test func `a probe after a joined retransmission repeats the whole packet`() {
    var (sender, now) = timedOut()
    _ = sender.join(to: 0)
    sender.resent(0, at: now, isProbe: false)
    #expect(sender.joinedHead(of: 4) == 0)
  }

  @Test func `small requests lost in an outage are retransmitted in one packet`() throws {
    let link = PathConditions.symmetric(.megabitsPerSecond(10), delay: .milliseconds(30))
    var out = link
    out.outage = .drop
    let phases = [
      ConditionSchedule.Phase(for: .seconds(1), conditions: link),
      ConditionSchedule.Phase(for: .seconds(2), conditions: out), ConditionSchedule.Phase(conditions: link),
    ]
    var harness = Harness(ConditionSchedule(phases: phases)!)
    harness.path.recordPackets()
    harness.get(isSecure: true, version: .http2)
    harness.run(until: .milliseconds(1_100))
    var streams: [StreamID] = []
    for number in 0..<4 {
      streams.append(harness.get(request: 20, key: UInt64(number), isSecure: true, version: .http2))
      harness.run(until: .milliseconds(1_101 + Int64(number)))
    }
    harness.run()
    let log = try #require(harness.path.packetLog)
    let again = log.records.filter {
      $0.direction == .up && $0.kind == .retransmitted && $0.time.nanoseconds > 3_000_000_000
    }
    // Four requests of 20 bytes, each with a frame and a record around it.
    let length: Int32 = 4 * (20 + 9 + 22)
    #expect(again.map(\.length) == [length])
    for stream in streams { #expect(harness.endings(of: stream) == 1 && harness.failure(of: stream) == nil) }
  }
}
