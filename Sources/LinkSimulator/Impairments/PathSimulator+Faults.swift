extension PathSimulator {
  /// Starts to record the impairments' effects on packets, for ``packetFaults``.
  ///
  /// Call it before the first request: connections that already exist are not recorded. It has no effect on a path that
  /// replays.
  public mutating func recordPacketFaults() {
    for direction in Direction.allCases where wires[direction].link.script == nil {
      wires[direction].link.script = LinkScript(recording: direction)
      wires[direction].link.parameters.usesChance = true
    }
  }

  /// All effects of impairments on packets since recording began, ordered by time.
  ///
  /// Losses by an outage or a full queue are not listed, since they are not decided per packet.
  public var packetFaults: [PacketFault] {
    wires.flatMap { $0.link.script?.recorded ?? [] }.sorted { $0.time < $1.time }.map(\.fault)
  }

  /// The scheduled faults that have not happened because their packets were never sent, in no particular order.
  public var unusedPacketFaults: [PacketFault] {
    wires.flatMap { $0.link.script?.unused ?? [] }
  }

  /// The current conditions of one direction as link parameters, adjusted for recording or replay.
  func linkParameters(_ direction: Direction) -> LinkParameters {
    var parameters = LinkParameters(phase.conditions.link(direction), isOut: phase.conditions.outage != nil)
    guard chance != .drawn || wires[direction].link.script != nil else { return parameters }
    parameters.usesChance = true
    if case .scheduled = chance { parameters.draws = [] }
    return parameters
  }
}
