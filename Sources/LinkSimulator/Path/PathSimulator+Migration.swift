/// Connections of QUIC whose client gets another address (RFC 9000, section 9).
extension PathSimulator {
  /// Whether a connection goes on when the device has another interface; before the handshake is confirmed it may not.
  func survivesMove(_ index: Int32) -> Bool {
    configuration.migration == .both && phase.conditions.outage == nil && !phase.conditions.device.suspendsApp
      && connections[index].isQuic && connections[index].isReady && connections[index, .up].quic[0].isConfirmed
  }

  /// The client goes on over another interface: nothing of what is under way arrives.
  mutating func migrate(_ index: Int32) {
    forgetsConnections = true
    (connections[index].movedUp, connections[index].movedDown) = (time, .max)
    connections[index, .up].quic[0].moves(at: time)
    transmit(index, .up)
    rearm(index)
  }

  /// A packet of a client has come from another address: its server answers there, or goes on to answer the old one.
  mutating func follow(_ index: Int32, isNewPath: Bool) {
    guard configuration.migration != .none else {
      connections[index].movedDown = .max
      return
    }
    connections[index].movedDown = time
    connections[index, .down].quic[0].follows(isNewPath: isNewPath, at: time)
  }
}
