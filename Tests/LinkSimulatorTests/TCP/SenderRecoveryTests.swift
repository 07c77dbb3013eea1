import Testing

@testable import LinkSimulator

struct SenderRecoveryTests {
  private static let milli: Int64 = 1_000_000

  /// A sender that has sent its first window of ten segments.
  private static func sender() -> Sender {
    var sender = Sender(.cubic, clock: TickClock(KeyedRandom(seed: 1)))
    sender.begin(at: 0, roundTrip: 100 * milli, windowEdge: 640_240, isCongested: false)
    sender.written = 100 * Int64(Packet.maximumPayload)
    send(&sender, at: 0)
    return sender
  }

  private static func send(_ sender: inout Sender, at now: Int64) {
    while sender.takeWritten(), sender.nextSegment(at: now) != nil {}
  }

  /// An acknowledgement without timestamps, with SACK blocks or a D-SACK.
  private func acknowledgement(
    _ number: Int, _ blocks: Range<Int>..., isDuplicate: Bool = false
  ) -> Packet {
    var packet = Packet(kind: .segment, owner: 0, flow: 0, size: 52)
    packet.acknowledged = number
    for block in blocks { packet.blocks.append(SelectiveBlocks.Block(start: block.lowerBound, end: block.upperBound)) }
    packet.blocks.firstIsDuplicate = isDuplicate
    return packet
  }

  @Test func `a window is restored when D-SACKs report every retransmission after the recovery`() {
    var sender = Self.sender()
    #expect(sender.board.next == 10)
    // Segments 0 to 2 are late, and their acknowledgements are lost.
    _ = sender.acknowledge(acknowledgement(0, 3..<10), at: 150 * Self.milli)
    #expect(sender.state == .recovery && sender.window.threshold == 7)
    for number in 0..<3 { sender.resent(number, at: 150 * Self.milli, isProbe: false) }
    Self.send(&sender, at: 150 * Self.milli)
    #expect(sender.board.next > 10)
    _ = sender.acknowledge(acknowledgement(10, 0..<1, isDuplicate: true), at: 250 * Self.milli)
    #expect(sender.state == .open && sender.window.size == 7)
    _ = sender.acknowledge(acknowledgement(10, 1..<2, isDuplicate: true), at: 251 * Self.milli)
    #expect(sender.window.size == 7)
    _ = sender.acknowledge(acknowledgement(10, 2..<3, isDuplicate: true), at: 252 * Self.milli)
    #expect(sender.window.size == 10 && sender.window.threshold == .max)
  }

  /// The kernel measures from the highest selectively acknowledged segment, else from the first unacknowledged one.
  @Test(arguments: [(4, 4), (5, 5), (6, 6)])
  func `a late segment's reordering distance runs to the highest segment that has arrived`(
    acknowledged: Int, distance: Int
  ) {
    var sender = Self.sender()
    // Segments 0 to 2 are late.
    _ = sender.acknowledge(acknowledgement(0, 3..<acknowledged), at: 150 * Self.milli)
    #expect(sender.reordering.segments == 3)
    _ = sender.acknowledge(acknowledgement(acknowledged), at: 151 * Self.milli)
    #expect(sender.reordering.segments == distance)
  }

  @Test func `of several late segments in one acknowledgement, the earliest gives the reordering distance`() {
    var sender = Self.sender()
    _ = sender.acknowledge(acknowledgement(0, 7..<8), at: 150 * Self.milli)
    #expect(sender.reordering.segments == 3)
    // Segments 2 and 4 come after 7.
    _ = sender.acknowledge(acknowledgement(0, 2..<3, 4..<5, 7..<8), at: 151 * Self.milli)
    #expect(sender.reordering.segments == 5)
  }
}
