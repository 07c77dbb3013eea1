import Testing

@testable import LinkSimulator

struct QuicSpaceTests {
  /// A space whose packets carry 500 bytes each, except for one without data, such as a path MTU probe.
  private func space(_ count: Int, probe: Int? = nil, of probeSize: Int64 = 1_400) -> QuicSpace {
    var space = QuicSpace()
    for number in 0..<count {
      let range = number == probe ? space.sent..<space.sent : space.sent..<space.sent + 500
      let size: Int64 = number == probe ? probeSize : 540
      _ = space.leaves(range, asks: true, size: size, delivered: 0, isLimited: false, at: Int64(number))
    }
    return space
  }

  private func acknowledge(_ number: Int, in space: inout QuicSpace) {
    var packet = Packet(kind: .datagram, owner: 0, flow: 0, size: 60)
    packet.blocks.append(SelectiveBlocks.Block(start: number, end: number + 1))
    var outcome = Acknowledged(inFlight: space.inFlight, bytesInFlight: space.bytesInFlight, reducedAt: -1)
    space.acknowledge(packet, &outcome)
  }

  @Test func `a packet is lost after three later acknowledgements or the loss delay`() {
    var space = space(5)
    acknowledge(2, in: &space)
    #expect(space.detectLosses(delay: 100, threshold: 3, at: 99) == nil && space.lossTime == 100)
    #expect(space.detectLosses(delay: 100, threshold: 3, at: 100)?.count == 1)
    acknowledge(4, in: &space)
    #expect(space.detectLosses(delay: 100, threshold: 3, at: 100)?.count == 1)
  }

  @Test func `lost frames that are not adjacent are sent again in separate packets`() {
    var space = space(6)
    acknowledge(1, in: &space)
    acknowledge(5, in: &space)
    #expect(space.detectLosses(delay: 100, threshold: 3, at: 5)?.count == 2)
    #expect(space.pending(upTo: 5_000, capacity: 2_000) == 0..<500)
  }

  @Test func `adjacent lost frames are sent again in one packet`() {
    var space = space(5)
    acknowledge(4, in: &space)
    #expect(space.detectLosses(delay: 100, threshold: 3, at: 4)?.count == 2)
    #expect(space.pending(upTo: 5_000, capacity: 999) == 0..<500)
    #expect(space.pending(upTo: 5_000, capacity: 1_000) == 0..<1_000)
  }

  @Test func `a lost path probe is not reported as congestion`() {
    var space = space(4, probe: 0)
    acknowledge(3, in: &space)
    let losses = space.detectLosses(delay: 100, threshold: 3, at: 3)
    #expect(losses?.count == 1 && losses?.newest == -1 && space.hasLostProbe)
  }

  @Test func `a lost packet with only a PING is congestion and no lost path probe`() {
    var space = space(4, probe: 0, of: 40)
    acknowledge(3, in: &space)
    let losses = space.detectLosses(delay: 100, threshold: 3, at: 3)
    #expect(losses?.newest == 0 && losses?.bytes == 40 && !space.hasLostProbe)
    #expect(space.pending(upTo: 0, capacity: 2_000) == nil)
  }
}
