import Testing

@testable import LinkSimulator

@Suite struct SendBufferTests {
  private static let segment = Int64(Packet.maximumPayload)

  @Test func `it takes what the kernel was seen to take of a large write`() {
    // A kernel with ten segments in flight holds 31,856 bytes more: one piece of 22 segments, half the first offer.
    var buffer = SendBuffer(windows: 2)
    buffer.fill(written: 1_000_000, sent: 0, acknowledged: 0, packetsOut: 0, room: 10)
    #expect(buffer.taken == (10 + 22) * Self.segment)
    #expect(buffer.isFull)
  }

  @Test func `an application that waits goes on when a third is free`() {
    var buffer = SendBuffer(windows: 2)
    buffer.fill(written: 1_000_000, sent: 0, acknowledged: 0, packetsOut: 0, room: 0)
    let taken = buffer.taken
    var acknowledged: Int64 = 0
    while !buffer.makeRoom(
      sent: taken, acknowledged: acknowledged, packetsOut: Int((taken - acknowledged) / Self.segment), inFlight: 10,
      window: 10, reordering: 3)
    {
      acknowledged += Self.segment
    }
    let left = taken - acknowledged
    // Two thirds of 46,080 bytes of memory, of which 832 are overhead for every two segments.
    #expect(left + (left / Self.segment + 1) / 2 * 832 <= 46_080 * 2 / 3)
    #expect(left + Self.segment > 46_080 * 2 / 3 - 11 * 832)
  }

  @Test func `it grows with the window, and only while the window does not limit`() {
    var limited = SendBuffer(windows: 2)
    var free = SendBuffer(windows: 2)
    for full in [true, false] {
      var buffer = full ? limited : free
      buffer.fill(written: 1_000_000, sent: 0, acknowledged: 0, packetsOut: 0, room: 0)
      _ = buffer.makeRoom(
        sent: 0, acknowledged: 0, packetsOut: 0, inFlight: full ? 100 : 99, window: 100, reordering: 3)
      buffer.fill(written: 1_000_000, sent: 0, acknowledged: 0, packetsOut: 0, room: 0)
      if full { limited = buffer } else { free = buffer }
    }
    #expect(limited.taken == 2 * 22 * Self.segment)
    #expect(free.taken > 2 * 100 * Self.segment)
  }
}
