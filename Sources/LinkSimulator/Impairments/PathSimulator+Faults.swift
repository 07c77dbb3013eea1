extension PathSimulator {
  /// Writes down from now on what the links do to single packets: ``packetFaults``.
  ///
  /// Begin before the first request, or what connections that stand have met with is missing. A path that replays stays as
  /// it is.
  public mutating func recordPacketFaults() {
    guard up.link.script == nil else { return }
    up.link.script = LinkScript(recording: .up)
    down.link.script = LinkScript(recording: .down)
    up.link.parameters.usesChance = true
    down.link.parameters.usesChance = true
  }

  /// Everything that impairments have done to single packets since recording began, in the order of time.
  ///
  /// Packets that an outage took, or that a full queue refused, are no decisions about single packets, and not listed.
  public var packetFaults: [PacketFault] {
    let all = (up.link.script?.recorded ?? []) + (down.link.script?.recorded ?? [])
    // Sorted by more than the time, which two packets may share, since a sort need not be stable.
    return all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element.fault)
  }

  /// Which of the scheduled faults have not happened, because no such packet was sent; in no particular order.
  public var unusedPacketFaults: [PacketFault] {
    (up.link.script?.unused ?? []) + (down.link.script?.unused ?? [])
  }

  /// The conditions of one direction as its link takes them.
  func linkParameters(_ conditions: LinkConditions, isOut: Bool) -> LinkParameters {
    var parameters = LinkParameters(conditions, isOut: isOut)
    guard chance != .drawn || up.link.script != nil else { return parameters }
    parameters.usesChance = true
    if case .scheduled = chance { parameters.draws = [] }
    return parameters
  }

  /// Gives the packets of a connection or look-up their names, where anybody asks for them.
  mutating func name(_ flow: Int32, origin: String, connection: Int) {
    guard up.link.script != nil else { return }
    let name = LinkScript.FlowName(origin: origin, connection: connection)
    up.link.script?.begin(Int(flow), name)
    down.link.script?.begin(Int(flow), name)
  }
}
