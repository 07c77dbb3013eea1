extension Link {
  /// A packet with its times.
  ///
  /// Many packets are on their way at once, and each is written and read once, so the time that a packet costs is that of
  /// moving its slot to and from memory. The fields therefore stand here by size, without gaps, and what few packets
  /// need stands in rings of its own: `blocks` and `memories`.
  struct Slot: Sendable {
    /// Whether there are two of a packet.
    enum Role: UInt8 {
      /// Not decided yet.
      case fresh
      case single
      /// A copy of it was sent, if there was room.
      case doubled
      case copy
    }

    private let segment: Int
    private let end: Int64
    private let acknowledged: Int
    private let windowEdge: Int64
    private let stamp: Int64
    private let echo: Int64
    /// Its number within its flow, which its fate is drawn from.
    let number: UInt64
    /// When its first bit leaves.
    var start: Int64
    /// When its last bit leaves.
    var departure: Int64
    /// When it arrives; for a lost packet the arrival of the packet before.
    var arrival: Int64 = 0
    let owner: Int32
    let flow: Int32
    /// Sixteen bits hold a length, as they do in the head of an IP packet.
    private let totalLength: UInt16
    private let payloadLength: UInt16
    let kind: Packet.Kind
    /// From the lowest bit: whether the packet pushes, whether something stands beside, and its role in two bits.
    private var bits: UInt8
    var fate = Fate.arrives

    private var pushes: Bool { bits & 1 != 0 }
    /// Whether the packet has selective blocks or holds several segments, which stands beside.
    var hasBlocks: Bool { bits & 2 != 0 }

    var role: Role {
      get { Role(rawValue: bits >> 2) ?? .fresh }
      set { bits = bits & 3 | newValue.rawValue << 2 }
    }

    init(_ packet: borrowing Packet, number: UInt64, start: Int64, departure: Int64) {
      segment = packet.segment
      end = packet.end
      acknowledged = packet.acknowledged
      windowEdge = packet.windowEdge
      stamp = packet.stamp
      echo = packet.echo
      self.number = number
      self.start = start
      self.departure = departure
      owner = packet.owner
      flow = packet.flow
      totalLength = UInt16(packet.size)
      payloadLength = UInt16(packet.length)
      kind = packet.kind
      bits = (packet.pushes ? 1 : 0) | (Int16(packet.blocks.count) + packet.blocks.joined > 0 ? 2 : 0)
    }

    /// Bytes on the wire.
    var size: Int32 { Int32(totalLength) }

    /// The packet without its selective blocks.
    @inline(__always)
    var packet: Packet {
      Packet(
        kind: kind, pushes: pushes, owner: owner, flow: flow, size: size, length: Int32(payloadLength),
        segment: segment, end: end,
        acknowledged: acknowledged, windowEdge: windowEdge, stamp: stamp, echo: echo)
    }
  }

  /// The packet at this position, which must not be older than the last that has arrived.
  @inline(__always)
  func packet(at position: Int) -> Packet {
    let index = position & mask
    var packet = slots[index].packet
    if slots[index].hasBlocks { packet.blocks = blocks[index] }
    return packet
  }

  mutating func keep(_ new: SelectiveBlocks, _ index: Int) {
    if blocks.isEmpty { blocks = [SelectiveBlocks](repeating: SelectiveBlocks(), count: slots.count) }
    blocks[index] = new
  }

  @inline(__always)
  mutating func remember(_ memory: FlowMemory, _ index: Int) {
    if memories.isEmpty { memories = [FlowMemory](repeating: FlowMemory(), count: slots.count) }
    memories[index] = memory
  }

  /// Doubles the rings.
  mutating func grow(filler: Slot) {
    let size = max(16, slots.count * 2)
    slots = spread(slots, over: size, filler)
    if !blocks.isEmpty { blocks = spread(blocks, over: size, SelectiveBlocks()) }
    if !memories.isEmpty { memories = spread(memories, over: size, FlowMemory()) }
    mask = size - 1
  }

  /// A larger ring with what a ring holds from `head` to `tail`.
  private func spread<Element>(_ ring: [Element], over size: Int, _ filler: Element) -> [Element] {
    var larger: [Element] = []
    larger.reserveCapacity(size)
    for index in 0..<size {
      // The first position from the head on that has this place.
      let position = head + (index - head) & (size - 1)
      larger.append(position < tail ? ring[position & mask] : filler)
    }
    return larger
  }
}
