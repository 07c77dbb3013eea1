/// The fates of a link's packets: recorded, or prescribed for a replay.
///
/// Only links that record or replay have a script.
struct LinkScript: Sendable {
  private struct Entry: Sendable {
    var number: UInt64
    var effect: PacketEffect
    /// When the packet left the link, for ordering the records.
    var time: Int64
    var isUsed = false
  }

  struct FlowName: Hashable, Sendable {
    var origin: String
    var connection: Int
  }

  private struct FlowScript: Sendable {
    var name: FlowName
    var entries: [Entry] = []
  }

  private let direction: Direction
  private let isReplay: Bool
  /// The scripts of the current flows, by flow number.
  private var flows: [FlowScript] = []
  /// The scripts of earlier flows whose numbers were reused.
  private var past: [FlowScript] = []
  /// The entries for flows that have not begun yet, in a replay.
  private var coming: [FlowName: [Entry]] = [:]

  init(recording direction: Direction) {
    self.direction = direction
    isReplay = false
  }

  /// Creates a script that replays faults; if two faults of a packet exclude each other, the first applies.
  init(replaying faults: [PacketFault], _ direction: Direction) {
    self.direction = direction
    isReplay = true
    for fault in faults where fault.packet.direction == direction && fault.packet.number >= 0 {
      let name = FlowName(origin: fault.packet.origin, connection: fault.packet.connection)
      coming[name, default: []].append(Entry(number: UInt64(fault.packet.number), effect: fault.effect, time: 0))
    }
    for name in coming.keys { coming[name] = coming[name].map(Self.inOrder) }
  }

  /// Sorts entries by packet number; a packet's entries keep their order.
  private static func inOrder(_ entries: [Entry]) -> [Entry] {
    entries.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(\.element)
  }

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

  /// Records or replaces a packet's drawn fate; after a change of conditions it is called again for this and all later
  /// packets.
  mutating func decide(
    _ flow: Int, _ number: UInt64, drawn fate: PacketFate, isOut: Bool, departure: Int64
  ) -> PacketFate {
    guard flow < flows.count else { return fate }
    guard isReplay else {
      while let last = flows[flow].entries.last, last.number >= number { flows[flow].entries.removeLast() }
      // An outage drops every packet, so drawn effects do not count.
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

  /// The index of a packet's first entry in its flow's script.
  private func place(of number: UInt64, in flow: Int) -> Int {
    var (low, high) = (0, flows[flow].entries.count)
    while low < high {
      let middle = (low + high) / 2
      if flows[flow].entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// All recorded faults with the times at which their packets left.
  var recorded: [(time: Int64, fault: PacketFault)] {
    guard !isReplay else { return [] }
    // A flow without a name belongs to a connection opened before recording began.
    return (past + flows).filter { !$0.name.origin.isEmpty }
      .flatMap { flow in flow.entries.map { ($0.time, fault($0, of: flow.name)) } }
  }

  /// The faults of a replay that did not happen, because their packets were never sent.
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
