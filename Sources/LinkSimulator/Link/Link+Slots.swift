extension Link {
  /// A packet with its times, in a compact layout.
  ///
  /// Moving slots to and from memory dominates a packet's cost. So the fields are ordered by size, without gaps. Rarely
  /// used parts are in separate rings: `blocks` and `memories.before`.
  struct Slot: Sendable {
    /// Whether the packet was duplicated, or is the duplicate.
    enum Role: UInt8 {
      /// Duplication is not decided yet.
      case fresh
      case single
      /// A duplicate was sent if the queue had room.
      case doubled
      case copy
    }

    private let segment: Int
    private let end: Int64
    private let acknowledged: Int
    private let windowEdge: Int64
    private let stamp: Int64
    private let echo: Int64
    /// The packet's number within its flow, the key of its random draws.
    let number: UInt64
    /// When the packet's first bit leaves the queue, in nanoseconds.
    var start: Int64
    /// When the packet's last bit leaves, in nanoseconds.
    var departure: Int64
    /// When the packet arrives, in nanoseconds; for a lost packet, when the previous packet arrives.
    var arrival: Int64
    let owner: Int32
    let flow: Int32
    /// 16 bits suffice for lengths, as in an IP header.
    private let totalLength: UInt16
    private let payloadLength: UInt16
    let kind: Packet.Kind
    /// The packet's flags, from the lowest bit: PSH, whether `blocks` has an entry for it, and its role in two bits.
    private var bits: UInt8
    var fate: Fate

    private var pushes: Bool { bits & 1 != 0 }
    /// Whether the packet has SACK blocks or several segments, which `Link.blocks` stores.
    var hasBlocks: Bool { bits & 2 != 0 }

    var role: Role {
      get { Role(rawValue: bits >> 2) ?? .fresh }
      set { bits = bits & 3 | newValue.rawValue << 2 }
    }

    @inline(__always)
    init(
      _ packet: borrowing Packet, number: UInt64, start: Int64, departure: Int64, arrival: Int64 = 0,
      role: Role = .fresh, fate: Fate = .arrives
    ) {
      segment = packet.segment
      end = packet.end
      acknowledged = packet.acknowledged
      windowEdge = packet.windowEdge
      stamp = packet.stamp
      echo = packet.echo
      self.number = number
      self.start = start
      self.departure = departure
      self.arrival = arrival
      self.fate = fate
      owner = packet.owner
      flow = packet.flow
      totalLength = UInt16(packet.size)
      payloadLength = UInt16(packet.length)
      kind = packet.kind
      bits =
        (packet.pushes ? 1 : 0) | (Int16(packet.blocks.count) + packet.blocks.joined > 0 ? 2 : 0) | role.rawValue << 2
    }

    /// The packet's size in bytes, headers included.
    var size: Int32 { Int32(totalLength) }

    /// The packet without its SACK blocks.
    @inline(__always)
    var packet: Packet {
      Packet(
        kind: kind, pushes: pushes, owner: owner, flow: flow, size: size, length: Int32(payloadLength),
        segment: segment, end: end,
        acknowledged: acknowledged, windowEdge: windowEdge, stamp: stamp, echo: echo)
    }
  }

  /// The packet at this position; packets before the latest arrived one are no longer stored.
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

  mutating func grow(filler: Slot) {
    let size = max(16, slots.count * 2)
    slots = spread(slots, over: size, filler)
    if !blocks.isEmpty { blocks = spread(blocks, over: size, SelectiveBlocks()) }
    if !memories.before.isEmpty { memories.before = spread(memories.before, over: size, FlowMemory()) }
    mask = size - 1
  }

  /// Copies a ring's entries from `head` to `tail` into a larger ring.
  private func spread<Element>(_ ring: [Element], over size: Int, _ filler: Element) -> [Element] {
    var larger: [Element] = []
    larger.reserveCapacity(size)
    for index in 0..<size {
      // The first position from `head` on that has this index in the larger ring.
      let position = head + (index - head) & (size - 1)
      larger.append(position < tail ? ring[position & mask] : filler)
    }
    return larger
  }
}

/// What a link's impairments remember from the previous packet of each flow.
struct LinkMemory: Sendable {
  /// What each flow remembers; a flow that remembers nothing may have no entry.
  var flows: [FlowMemory] = []
  /// The flow's memory before each packet's draw, by slot index.
  var before: [FlowMemory] = []

  /// Keeps a flow's memory before it draws for the packet in this slot, one of `count`.
  @inline(__always)
  mutating func note(_ flow: Int, before slot: Int, of count: Int) {
    if flow >= flows.count { flows += repeatElement(FlowMemory(), count: flow + 1 - flows.count) }
    if before.isEmpty { before = [FlowMemory](repeating: FlowMemory(), count: count) }
    before[slot] = flows[flow]
  }

  /// Clears what a flow remembers, before the flow begins again.
  mutating func forget(_ flow: Int) {
    if flow < flows.count { flows[flow] = FlowMemory() }
  }
}
