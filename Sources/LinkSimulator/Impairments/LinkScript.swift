/// A list of what a link's packets met with, written down, or of what they shall meet with, read out.
///
/// Only a link that records or replays has one; others draw and forget.
struct LinkScript: Sendable {
  /// An effect on one packet of a flow.
  private struct Entry: Sendable {
    var number: UInt64
    var effect: PacketEffect
    /// When the packet left, by which records are put in order.
    var time: Int64
    /// Whether the packet was handed over, in a replay.
    var isUsed = false
  }

  /// The connection or look-up that a flow belongs to.
  struct FlowName: Hashable, Sendable {
    var origin: String
    var connection: Int
  }

  private struct FlowScript: Sendable {
    var name: FlowName
    /// In the order of the packets' numbers.
    var entries: [Entry] = []
  }

  private let direction: Direction
  private let isReplay: Bool
  /// By the number of the flow.
  private var flows: [FlowScript] = []
  /// The entries of flows whose numbers were given to others.
  private var past: [FlowScript] = []
  /// The entries to be read for flows that have not begun.
  private var coming: [FlowName: [Entry]] = [:]

  /// A script to be written.
  init(recording direction: Direction) {
    self.direction = direction
    isReplay = false
  }

  /// A script to be read; of two faults of one packet that exclude each other the first counts.
  init(replaying faults: [PacketFault], _ direction: Direction) {
    self.direction = direction
    isReplay = true
    for fault in faults where fault.packet.direction == direction && fault.packet.number >= 0 {
      let name = FlowName(origin: fault.packet.origin, connection: fault.packet.connection)
      coming[name, default: []].append(Entry(number: UInt64(fault.packet.number), effect: fault.effect, time: 0))
    }
    for name in coming.keys { coming[name] = coming[name].map(Self.inOrder) }
  }

  /// Entries by their packets' numbers; those of one packet as they were given.
  private static func inOrder(_ entries: [Entry]) -> [Entry] {
    entries.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(\.element)
  }

  /// A connection or a look-up begins, and its packets go by this number from now on.
  mutating func begin(_ flow: Int, _ name: FlowName) {
    let script = FlowScript(name: name, entries: coming.removeValue(forKey: name) ?? [])
    while flows.count < flow { flows.append(FlowScript(name: FlowName(origin: "", connection: 0))) }
    if flow < flows.count {
      if !flows[flow].entries.isEmpty { past.append(flows[flow]) }
      flows[flow] = script
    } else {
      flows.append(script)
    }
  }

  /// Decides the fate of a packet for which this was drawn; again when conditions change, for all that follow as well.
  mutating func decide(
    _ flow: Int, _ number: UInt64, drawn fate: PacketFate, isOut: Bool, departure: Int64
  ) -> PacketFate {
    guard flow < flows.count else { return fate }
    guard isReplay else {
      while let last = flows[flow].entries.last, last.number >= number { flows[flow].entries.removeLast() }
      // An outage takes every packet, whatever was drawn for it.
      if isOut { return fate }
      for effect in PacketEffect.all(in: fate) {
        flows[flow].entries.append(Entry(number: number, effect: effect, time: departure))
      }
      return fate
    }
    var fate = PacketFate()
    var place = place(of: number, in: flow)
    while place < flows[flow].entries.count, flows[flow].entries[place].number == number {
      flows[flow].entries[place].isUsed = true
      let effect = flows[flow].entries[place].effect
      effect.kind.type.happen(effect.amount, in: &fate)
      place += 1
    }
    return fate
  }

  /// Where the entries of a packet begin among its flow's.
  private func place(of number: UInt64, in flow: Int) -> Int {
    var (low, high) = (0, flows[flow].entries.count)
    while low < high {
      let middle = (low + high) / 2
      if flows[flow].entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// All that was written, with its times.
  var recorded: [(time: Int64, fault: PacketFault)] {
    guard !isReplay else { return [] }
    // A connection that stood before recording began has no name.
    return (past + flows).filter { !$0.name.origin.isEmpty }
      .flatMap { flow in flow.entries.map { ($0.time, fault($0, of: flow.name)) } }
  }

  /// The entries that were to be read, and were not, because no such packet was sent.
  var unused: [PacketFault] {
    guard isReplay else { return [] }
    let begun = (past + flows).flatMap { flow in
      flow.entries.filter { !$0.isUsed }.map { fault($0, of: flow.name) }
    }
    return begun + coming.flatMap { name, entries in entries.map { fault($0, of: name) } }
  }

  private func fault(_ entry: Entry, of name: FlowName) -> PacketFault {
    PacketFault(
      entry.effect,
      of: PacketName(
        origin: name.origin, connection: name.connection, direction: direction, number: Int(clamping: entry.number)))
  }
}
