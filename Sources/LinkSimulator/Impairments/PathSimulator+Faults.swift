extension PathSimulator {
  /// Writes down from now on what the links do to single packets: ``packetFaults``.
  ///
  /// Begin before the first request, or what connections that stand have met with is missing. A path that replays stays as
  /// it is.
  public mutating func recordPacketFaults() {
    for direction in Direction.allCases where wires[direction].link.script == nil {
      wires[direction].link.script = LinkScript(recording: direction)
      wires[direction].link.parameters.usesChance = true
    }
  }

  /// Everything that impairments have done to single packets since recording began, in the order of time.
  ///
  /// Packets that an outage took, or that a full queue refused, are no decisions about single packets, and not listed.
  public var packetFaults: [PacketFault] {
    wires.flatMap { $0.link.script?.recorded ?? [] }.sorted { $0.time < $1.time }.map(\.fault)
  }

  /// Which of the scheduled faults have not happened, because no such packet was sent; in no particular order.
  public var unusedPacketFaults: [PacketFault] {
    wires.flatMap { $0.link.script?.unused ?? [] }
  }

  /// The conditions of one direction as its link takes them.
  func linkParameters(_ direction: Direction) -> LinkParameters {
    var parameters = LinkParameters(phase.conditions.link(direction), isOut: phase.conditions.outage != nil)
    guard chance != .drawn || wires[direction].link.script != nil else { return parameters }
    parameters.usesChance = true
    if case .scheduled = chance { parameters.draws = [] }
    return parameters
  }
}
