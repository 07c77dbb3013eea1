/// A server that takes a connection out of service while requests are on it (HTTP/2).
extension PathSimulator {
  /// Whether the server serves a request of which it has read something.
  ///
  /// Where it is to go away at this one, it says with GOAWAY which was the last that it serves (RFC 9113, section 6.8). Those
  /// before it are served to their end.
  mutating func isServed(_ slot: Int32) -> Bool {
    let index = streams[slot].connection
    if streams.faults(slot)?.goesAway == true, connections[index].isMultiplexed, connections[index].refusesFrom == .max
    {
      connections[index].refusesFrom = streams[slot].number
      connections[index, .down].put(.goAway, Connection.goAway, framing: connections[index].recordFraming)
      transmit(index, .down)
      rearm(index)
    }
    return streams[slot].number < connections[index].refusesFrom
  }

  /// The client has read that the server goes away: it leaves the connection when the requests before have ended, and knows
  /// that the others were not served.
  mutating func leave(_ index: Int32) {
    let pool = connections[index].pool
    if connections[pool: pool].shared == index { connections[pool: pool].shared = -1 }
    connections[index].isLeft = true
    for slot in streamsOn(index) where streams[slot].number >= connections[index].refusesFrom {
      fail(slot, .notServed)
    }
    serveWaiting(pool)
  }
}
