extension PathSimulator {
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
