/// Graceful shutdown of an HTTP/2 connection by the server, while requests are on it.
extension PathSimulator {
  /// Whether the server will process a request whose beginning it has read.
  ///
  /// A fault may make the server send GOAWAY at this request, with the last stream that it serves (RFC 9113, section
  /// 6.8). It still serves earlier requests completely.
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

  /// The client has read a GOAWAY: the requests that the server did not accept fail, and no more are started.
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
