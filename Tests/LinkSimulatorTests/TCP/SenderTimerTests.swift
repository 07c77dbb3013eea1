import Testing

@testable import LinkSimulator

struct SenderTimerTests {
  private static let clock = TickClock(KeyedRandom(seed: 1))
  private static let milli: Int64 = 1_000_000

  /// A sender with one round-trip sample and this many segments to send.
  private func sender(roundTrip: Int64, segments: Int64, window: Int = 10) -> Sender {
    var sender = Sender(.cubic, clock: Self.clock)
    sender.begin(at: 0, roundTrip: roundTrip * Self.milli, windowEdge: 64_240, isCongested: false)
    sender.window.size = window
    sender.written = segments * Int64(Packet.maximumPayload)
    return sender
  }

  @discardableResult
  private func send(_ sender: inout Sender, at now: Int64 = 0) -> Int {
    var count = 0
    while sender.takeWritten(), sender.nextSegment(at: now) != nil { count += 1 }
    sender.sendingEnded(sentAny: count > 0, at: now)
    return count
  }

  private func due(_ milliseconds: Int64, from now: Int64 = 0) -> Int64 {
    Self.clock.expiry(after: milliseconds * Self.milli, from: now)
  }

  @Test func `an overtaken acknowledgement does not move the window's edge back`() {
    var sender = sender(roundTrip: 100, segments: 3)
    send(&sender)
    var packet = Packet(kind: .segment, owner: 0, flow: 0, size: 52)
    for edge: Int64 in [70_000, 65_000] {
      packet.windowEdge = edge
      _ = sender.acknowledge(packet, at: 50 * Self.milli)
    }
    #expect(sender.windowEdge == 70_000)
  }

  @Test func `a tail loss probe waits two round trips, and 200 ms more for a single segment`() {
    var several = sender(roundTrip: 1_000, segments: 3)
    #expect(send(&several) == 3)
    #expect(several.timer == .probe && several.deadline == due(2_000 + 2))
    var only = sender(roundTrip: 1_000, segments: 1)
    #expect(send(&only) == 1)
    #expect(only.timer == .probe && only.deadline == due(2_000 + 200))
  }

  @Test func `a tail loss probe is never later than the retransmission timeout`() {
    // With a round trip of 100 ms the timeout is 300 ms, which is less than two round trips and 200 ms.
    var only = sender(roundTrip: 100, segments: 1)
    send(&only)
    #expect(only.timer == .probe && only.deadline == due(300))
    var several = sender(roundTrip: 100, segments: 2)
    send(&several)
    #expect(several.deadline == due(202))
  }

  @Test func `a tail loss probe sends new data or repeats the last segment`() {
    var new = sender(roundTrip: 100, segments: 5, window: 2)
    #expect(send(&new) == 2)
    guard case .probeNew = new.timerFired(at: new.deadline) else {
      Issue.record("nothing new is sent")
      return
    }
    var old = sender(roundTrip: 100, segments: 4)
    send(&old)
    let first = old.deadline
    guard case .probe(3) = old.timerFired(at: first) else {
      Issue.record("the last segment is not repeated")
      return
    }
    old.resent(3, at: first, isProbe: true)
    old.probeSent(at: first)
    #expect(old.timer == .retransmission && old.deadline == due(300, from: first))
    // While a probe is in flight, the retransmission timer runs, counted from the first segment's sending.
    _ = old.armProbe(at: first, advancing: false)
    #expect(old.timer == .probe)
    guard case .nothing = old.timerFired(at: first + 1) else {
      Issue.record("a second probe is sent")
      return
    }
    #expect(old.timer == .retransmission)
  }

  @Test func `a retransmission timer runs only while segments are in flight`() {
    var sender = sender(roundTrip: 100, segments: 3)
    send(&sender)
    sender.timer = .none
    sender.deadline = .max
    sender.rearm(at: 0)
    #expect(sender.timer == .probe && sender.deadline < .max)
    sender.state = .recovery
    sender.rearm(at: 0)
    #expect(sender.timer == .retransmission && sender.deadline < .max)
    sender.board = Scoreboard()
    sender.rearm(at: 0)
    #expect(sender.timer == .none && sender.deadline == .max)
    guard case .nothing = sender.timerFired(at: 5) else {
      Issue.record("a timer fires without segments")
      return
    }
  }

  @Test func `a timeout retransmits the first segment, shrinks the window to one segment and doubles the timeout`() {
    var sender = sender(roundTrip: 100, segments: 6)
    send(&sender)
    sender.armRetransmission(at: 0)
    #expect(sender.deadline == due(300))
    let now = sender.deadline
    guard case .retransmit(0) = sender.timerFired(at: now) else {
      Issue.record("the first segment is not sent again")
      return
    }
    #expect(sender.state == .loss && sender.expiries == 1)
    // All six are lost, so one retransmission may be in flight.
    #expect(sender.board.lostOut == 6 && sender.board.inFlight == 0 && sender.window.size == 1)
    #expect(sender.window.threshold == 7)
    sender.resent(0, at: now, isProbe: false)
    #expect(sender.board.retransmittedOut == 1 && sender.board.inFlight == 1)
    sender.resent(0, at: now, isProbe: false)
    #expect(sender.board.retransmittedOut == 1)
    sender.backOff(at: now)
    #expect(sender.timer == .retransmission && sender.deadline == due(600, from: now))
    sender.backOff(at: now)
    #expect(sender.deadline == due(1_200, from: now))
  }

  @Test func `a connection fails after its maximum time without progress`() {
    // Sixteen timeouts from 200 ms on, each twice the one before, and at most 120 s.
    let timeouts = (0..<16 as Range<Int64>).map { min(200 << $0, 120_000) * Self.milli }
    #expect(Sender.endurance == timeouts.reduce(0, +))
    for (since, givesUp) in [(Sender.endurance - 1, false), (Sender.endurance, true)] {
      var sender = sender(roundTrip: 100, segments: 1)
      send(&sender)
      sender.timer = .retransmission
      sender.troubleSince = 1_000
      let expiry = sender.timerFired(at: 1_000 + since)
      if case .giveUp = expiry { #expect(givesUp) } else { #expect(!givesUp) }
    }
  }

  @Test func `a sender sends at most its congestion window and the receive window`() {
    var congested = sender(roundTrip: 100, segments: 50, window: 7)
    #expect(send(&congested) == 7)
    var offered = sender(roundTrip: 100, segments: 50, window: 40)
    offered.windowEdge = 5 * Int64(Packet.maximumPayload) + 10
    #expect(send(&offered) == 5)
    var path = sender(roundTrip: 100, segments: 1)
    #expect(path.window.size == 10)
    path.begin(at: 0, roundTrip: 100, windowEdge: 64_240, isCongested: true)
    #expect(path.window.size == 1)
  }

  @Test func `an idle pause halves the window for each timeout, down to its initial size`() {
    // At exactly one timeout the idle rule does not apply yet. But the window was hardly used, so it moves halfway to
    // its used part.
    for (pause, size) in [(299, 80), (300, 45), (301, 40), (600, 40), (601, 20), (901, 10), (5_000, 10)]
      as [(Int64, Int)]
    {
      var sender = sender(roundTrip: 100, segments: 1, window: 80)
      send(&sender)
      // All segments have arrived.
      sender.board.first = sender.board.next
      sender.written += 1_448
      send(&sender, at: pause * Self.milli)
      #expect(sender.window.size == size, "\(pause)")
    }
  }

  @Test func `a loss reduces CUBIC's window to seven tenths and Reno's to half`() {
    var window = CongestionWindow()
    window.size = 100
    let reno = Reno()
    func threshold(_ control: some CongestionAlgorithm) -> Int {
      var control = control
      return control.threshold(after: window)
    }
    #expect(threshold(Cubic()) == 100 * 717 / 1_024)
    #expect(threshold(reno) == 50)
    window.size = 3
    #expect(threshold(Cubic()) == 2 && threshold(reno) == 2)
    #expect(Cubic.cubeRoot(26) == 2 && Cubic.cubeRoot(27) == 3 && Cubic.cubeRoot(28) == 3 && Cubic.cubeRoot(0) == 0)
  }

  @Test(arguments: [
    // threshold, in flight, delivered, lost, advances, and the new size of a window of 10
    (7, 9, 1, 0, false, 10), (7, 6, 1, 0, true, 7), (7, 5, 1, 0, true, 7), (7, 5, 1, 1, true, 6),
    (7, 5, 1, 0, false, 6),
    (7, 7, 1, 0, false, 8), (5, 10, 4, 0, false, 12),
  ])
  func `a recovery sends in proportion to the delivered segments`(
    threshold: Int, inFlight: Int, delivered: Int, lost: Int, advances: Bool, window: Int
  ) {
    var reduction = Reduction(from: 10)
    let first = reduction.window(
      threshold: threshold, inFlight: inFlight, newlyDelivered: delivered, newlyLost: lost, advances: advances)
    #expect(first == window)
    // The first retransmission is always allowed, and segments already sent count.
    reduction.sent = 5
    let share = (5 * (delivered + 1) + 9) / 10
    let next = reduction.window(threshold: 5, inFlight: 9, newlyDelivered: 1, newlyLost: 0, advances: false)
    #expect(next == 9 + max(0, share - 5))
    let none = reduction.window(threshold: 5, inFlight: 9, newlyDelivered: 0, newlyLost: 0, advances: false)
    #expect(none == nil)
  }

  @Test(arguments: [(2, false), (3, true)])
  func `a segment is lost at once when three later ones have arrived, otherwise a quarter of a round trip later`(
    arrived: Int, isLost: Bool
  ) {
    var sender = sender(roundTrip: 100, segments: 6)
    send(&sender)
    var packet = Packet(kind: .segment, owner: 0, flow: 0, size: 52)
    packet.windowEdge = sender.windowEdge
    packet.blocks.append(SelectiveBlocks.Block(start: 1, end: 1 + arrived))
    _ = sender.acknowledge(packet, at: 100 * Self.milli)
    #expect(sender.board[0].has(SentSegment.lost) == isLost && (sender.state == .recovery) == isLost)
    if isLost { return }
    #expect(sender.timer == .reordering && sender.deadline == due(25 + 2, from: 100 * Self.milli))
    guard case .repair = sender.timerFired(at: sender.deadline) else {
      Issue.record("nothing is repaired")
      return
    }
    #expect(sender.board.lostOut == 1 && sender.state == .recovery && sender.window.threshold == 7)
  }

  @Test func `the reordering window is a quarter of the round trip and grows after spurious losses`() {
    var rack = Rack()
    func window(seen: Bool = true, aggressive: Bool = false, minimum: Int64 = 100, smoothed: Int64 = 120) -> Int64 {
      rack.reorderingWindow(
        hasSeenReordering: seen, isAggressive: aggressive, minimumRoundTrip: minimum, smoothed: smoothed)
    }
    #expect(window() == 25)
    #expect(window(seen: false, aggressive: true) == 0 && window(seen: true, aggressive: true) == 25)
    #expect(window(minimum: .max) == 0 && window(minimum: 1_000) == 120)
    rack.duplicateArrived()
    rack.adjust(delivered: 10, prior: 0)
    #expect(window() == 50)
    // The reordering window grows at most once per round trip.
    rack.duplicateArrived()
    rack.adjust(delivered: 12, prior: 9)
    #expect(window() == 50)
    rack.duplicateArrived()
    rack.adjust(delivered: 20, prior: 10)
    #expect(window() == 75)
    for _ in 0..<16 {
      rack.adjust(delivered: 30, prior: 20)
      #expect(window() == 75)
      rack.recoveryEnded()
    }
    // A spurious reduction keeps the reordering window for one more recovery.
    rack.keepWindow()
    rack.adjust(delivered: 30, prior: 20)
    #expect(window() == 75)
    rack.recoveryEnded()
    rack.adjust(delivered: 30, prior: 20)
    #expect(window() == 25)
  }

  @Test func `of segments sent at the same time the higher number counts as later`() {
    var rack = Rack()
    rack.advance(number: 5, segment: SentSegment(sentAt: 100), now: 200, minimumRoundTrip: 10)
    #expect(rack.isSentAfter(4, sentAt: 100) && !rack.isSentAfter(5, sentAt: 100) && !rack.isSentAfter(6, sentAt: 100))
    #expect(rack.isSentAfter(9, sentAt: 99) && !rack.isSentAfter(1, sentAt: 101))
    rack.advance(number: 3, segment: SentSegment(sentAt: 100), now: 210, minimumRoundTrip: 10)
    #expect(rack.number == 5 && rack.roundTrip == 110)
    // A retransmission acknowledged within less than the smallest round trip yields no sample.
    let copy = SentSegment(sentAt: 300, flags: SentSegment.everRetransmitted)
    rack.advance(number: 8, segment: copy, now: 309, minimumRoundTrip: 10)
    #expect(rack.number == 5)
    rack.advance(number: 8, segment: copy, now: 310, minimumRoundTrip: 10)
    #expect(rack.number == 8)
  }
}
