import Testing

@testable import LinkSimulator

struct SendBufferTests {
  private static let segment = Int64(Packet.maximumPayload)

  @Test func `the send buffer takes as much of a large write as measured on Linux`() {
    // A kernel with ten segments in flight holds 31,856 bytes more: one piece of 22 segments, half the first offer.
    var buffer = SendBuffer(windows: 2)
    buffer.fill(written: 1_000_000, sent: 0, acknowledged: 0, buffersOut: 0, burst: 2, room: 10)
    #expect(buffer.taken == (10 + 22) * Self.segment)
    #expect(buffer.isFull)
  }

  @Test func `a waiting application may write again when a third of the send buffer is free`() {
    var buffer = SendBuffer(windows: 2)
    buffer.fill(written: 1_000_000, sent: 0, acknowledged: 0, buffersOut: 0, burst: 2, room: 0)
    let taken = buffer.taken
    var acknowledged: Int64 = 0
    while !buffer.hasRoom(
      sent: taken, acknowledged: acknowledged, buffersOut: Int((taken - acknowledged) / Self.segment + 1) / 2)
    {
      acknowledged += Self.segment
    }
    let left = taken - acknowledged
    // Two thirds of 46,080 bytes of memory, of which 832 are overhead for every two segments.
    #expect(left + (left / Self.segment + 1) / 2 * 832 <= 46_080 * 2 / 3)
    #expect(left + Self.segment > 46_080 * 2 / 3 - 11 * 832)
  }

  @Test func `a buffer piece grows to half of the receive window and never shrinks with it`() {
    func taken(_ offers: Int64...) -> Int64 {
      var buffer = SendBuffer(windows: 2)
      for offer in offers { buffer.offered(offer * Self.segment) }
      buffer.fill(written: 1_000_000, sent: 0, acknowledged: 0, buffersOut: 0, burst: 2, room: 0)
      return buffer.taken
    }
    #expect(taken(2) == taken() && taken(60) > taken() && taken(60, 2) == taken(60))
  }

  @Test func `the send buffer grows with the window only while the window is not the limit`() {
    var limited = SendBuffer(windows: 2)
    var free = SendBuffer(windows: 2)
    for full in [true, false] {
      var buffer = full ? limited : free
      buffer.fill(written: 1_000_000, sent: 0, acknowledged: 0, buffersOut: 0, burst: 2, room: 0)
      buffer.grow(inFlight: full ? 100 : 99, window: 100, reordering: 3)
      buffer.fill(written: 1_000_000, sent: 0, acknowledged: 0, buffersOut: 0, burst: 2, room: 0)
      if full { limited = buffer } else { free = buffer }
    }
    #expect(limited.taken == 2 * 22 * Self.segment)
    #expect(free.taken > 2 * 100 * Self.segment)
  }

  @Test func `an event loop that finds no room waits until the send buffer has room`() {
    var buffer = SendBuffer(windows: 2)
    // Two thirds of 46,080 bytes are 30,720.
    buffer.fill(written: 20 * Self.segment, sent: 0, acknowledged: 0, buffersOut: 0, burst: 2, room: 0)
    buffer.poll(sent: 0, acknowledged: 0, buffersOut: 0)
    #expect(!buffer.isAwaited)
    buffer.fill(written: 22 * Self.segment, sent: 0, acknowledged: 0, buffersOut: 0, burst: 2, room: 0)
    buffer.poll(sent: 0, acknowledged: 0, buffersOut: 0)
    #expect(buffer.isAwaited && !buffer.isFull)
    buffer.wake()
    buffer.poll(sent: buffer.taken, acknowledged: buffer.taken, buffersOut: 0)
    #expect(!buffer.isAwaited)
  }

  @Test func `a sender asks for more bytes once for each write`() {
    var sender = Sender(.cubic, clock: TickClock(KeyedRandom(seed: 1)))
    for written in [0, 1_448] as [Int64] {
      sender.written = written
      let asks = [sender.asksForMore(), sender.asksForMore()]
      #expect(asks == [true, false])
    }
    sender.written = 10_000_000
    let asks = sender.asksForMore()
    #expect(!asks)
  }

  @Test func `a server fills its send buffer in the steps measured with nginx`() {
    // The bytes that a kernel had accepted each time its buffer was full: nginx 1.22, 2 MB over 12 Mbit/s. The delay
    // falls after 0.6 s. The hosts added 75 microseconds to each way.
    func conditions(_ milliseconds: Int64) -> PathConditions {
      let delay = Duration.microseconds(milliseconds * 1_000 + 75)
      return PathConditions(
        down: LinkConditions(rate: .megabitsPerSecond(12), delay: delay),
        up: LinkConditions(rate: .megabitsPerSecond(5), delay: delay))
    }
    let phases = [
      ConditionSchedule.Phase(for: .milliseconds(600), conditions: conditions(175)),
      ConditionSchedule.Phase(conditions: conditions(35)),
    ]
    var harness = Harness(ConditionSchedule(phases: phases)!, seed: 0)
    harness.get(2_000_260, request: 75)
    var seen: [Int64] = []
    while let next = harness.path.nextEventTime {
      harness.run(until: SimulatedInstant.zero.duration(to: next))
      let buffer = harness.path.connections[0, .down].tcp.sender.buffer
      if buffer.isFull, seen.last != buffer.taken { seen.append(buffer.taken) }
    }
    #expect(
      seen == [
        46_336, 127_424, 207_064, 466_256, 661_736, 857_216, 1_117_856, 1_378_496, 1_639_136, 1_899_776,
      ])
  }

  @Test func `selectively acknowledged segments split and merge the buffers of the send queue`() {
    var board = Scoreboard()
    for number in 0..<6 {
      let flags = number % 2 == 1 ? SentSegment.endsBuffer : 0
      _ = board.append(SentSegment(end: Int64(number + 1) * Self.segment, length: 1_448, flags: flags))
    }
    board.buffersOut = 3
    func arrive(_ number: Int) -> Int {
      board[number].flags |= SentSegment.sacked
      board.cutBuffer(around: number)
      return board.buffersOut
    }
    // At first the buffers hold 0 1 | 2 3 | 4 5. Each line shows them after an arrival.
    #expect(arrive(3) == 4, "0 1 | 2 | 3 | 4 5")
    #expect(arrive(4) == 4, "0 1 | 2 | 3 4 | 5")
    #expect(arrive(5) == 3, "0 1 | 2 | 3 4 5")
    #expect(arrive(2) == 2, "0 1 | 2 3 4 5")
  }
}
