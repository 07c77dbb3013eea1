extension PathSimulator {
  /// Has a middlebox forget a connection once no packet of it has come by for so long, from now on.
  mutating func forget(_ index: Int32, after limit: Int64) {
    guard index >= 0, limit < connections[index].natLimit else { return }
    connections[index].natLimit = limit
    connections[index].passedAt = time
    forgetsConnections = true
  }

  /// Whether a middlebox knows the connection of a packet that comes by no longer; it stands where packets arrive.
  ///
  /// A forgotten connection stays so: it learns of a connection by its SYN, which does not come again.
  ///
  /// One of QUIC has another port with the next packet of its client, of which the server learns by that.
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
