/// Migration of QUIC connections to another address of the client (RFC 9000, section 9).
extension PathSimulator {
  /// Whether a connection survives a change of the device's interface; only after its handshake is confirmed.
  func survivesMove(_ index: Int32) -> Bool {
    configuration.migration == .both && phase.conditions.outage == nil && !phase.conditions.device.suspendsApp
      && connections[index].isQuic && connections[index].isReady && connections[index, .up].quic[0].isConfirmed
  }

  /// Moves the client to another interface: all packets under way are lost.
  mutating func migrate(_ index: Int32) {
    forgetsConnections = true
    (connections[index].movedUp, connections[index].movedDown) = (time, .max)
    connections[index, .up].quic[0].moves(at: time)
    transmit(index, .up)
    rearm(index)
  }

  /// Handles a client's packet from another address: the server follows it if configured, or keeps the old address.
  mutating func follow(_ index: Int32, isNewPath: Bool) {
    guard configuration.migration != .none else {
      connections[index].movedDown = .max
      return
    }
    connections[index].movedDown = time
    connections[index, .down].quic[0].follows(isNewPath: isNewPath, at: time)
  }
}
