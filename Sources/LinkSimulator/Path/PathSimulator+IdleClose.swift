extension PathSimulator {
  /// Nothing travels on a connection any more, which its server may not keep for ever.
  mutating func noteIdle(_ index: Int32) {
    let place = Int(index)
    connections[place].idleSince = time
    connections[place].closesAt = time.saturatingAdd(connections[place].idleLimit)
    arm(.idleClose, place, at: connections[place].closesAt)
  }

  /// The server closes a connection that no request has reached in time; one may be on its way, which it cannot know.
  ///
  /// The FIN is a byte of the stream (RFC 9293, section 3.4), lost and repeated like any other. No GOAWAY goes before it.
  mutating func idleTimerFired(_ place: Int, at due: Int64) {
    guard connections[place].closesAt == due, !connections[place].isClosed else { return }
    let index = Int32(place)
    guard streamsOn(index).allSatisfy({ streams[Int($0)].up.read == 0 }) else { return }
    connections[place].serverHasClosed = true
    connections[place].server.sender.written += connections[place].down.append(
      .farewell, 1, framing: connections[place].isSecure ? Connection.recordOverhead : 0, marks: false)
    transmitDown(index)
    rearm(index)
  }

  /// Data has reached a server that has closed the connection: it answers with a reset (RFC 9293, section 3.10.7.1).
  mutating func refuseData(_ index: Int32) {
    connections[Int(index)].server.sendReset(at: time, &down)
    connections[Int(index)].server.close()
  }
}
