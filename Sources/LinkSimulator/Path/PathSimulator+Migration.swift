/// Middleboxes that forget connections, and QUIC's migration to another client address (RFC 9000, section 9).
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

  /// Makes a middlebox forget a connection after `limit` nanoseconds without a packet.
  mutating func forget(_ index: Int32, after limit: Int64) {
    guard index >= 0, limit < connections[index].natLimit else { return }
    connections[index].natLimit = limit
    connections[index].passedAt = time
    forgetsConnections = true
  }

  /// Whether a middlebox has forgotten the connection of an arriving packet.
  ///
  /// A forgotten TCP connection stays forgotten: only a SYN creates a middlebox entry, and it is not sent again. A QUIC
  /// client's next packet gets another port, which shows the server the new address.
  mutating func isForgotten(_ packet: borrowing Packet, _ direction: Direction) -> Bool {
    let (index, limit) = (packet.owner, connections[packet.owner].natLimit)
    let movedAt = direction == .up ? connections[index].movedUp : connections[index].movedDown
    if packet.kind == .datagram, packet.stamp < movedAt { return true }
    if direction == .up, connections[index].movedUp > .min, connections[index].movedDown == .max {
      follow(index, isNewPath: true)
    }
    guard limit < .max else { return false }
    if packet.kind != .synchronise, time - connections[index].passedAt > limit {
      guard connections[index].isQuic, direction == .up else { return true }
      follow(index, isNewPath: false)
    }
    connections[index].passedAt = time
    return false
  }
}
