extension PathSimulator {
  mutating func noteIdle(_ index: Int32) {
    connections.noteIdle(index)
    connections[index].idleSince = time
    connections[index].closesAt = time.saturatingAdd(connections[index].idleLimit)
    arm(.idleClose, index, at: connections[index].closesAt)
  }

  /// The server closes a connection that no request has reached in time; a request may be under way.
  ///
  /// The FIN counts as a byte of the stream (RFC 9293, section 3.4), so it can be lost and retransmitted. No GOAWAY
  /// precedes it.
  mutating func idleTimerFired(_ index: Int32, at due: Int64) {
    guard connections[index].closesAt == due, !connections[index].isClosed,
      streamsOn(index).allSatisfy({ streams[$0].up.read == 0 })
    else { return }
    connections[index].serverHasClosed = true
    connections[index, .down].put(
      .fin, 1, framing: connections[index].recordFraming)
    transmit(index, .down)
    rearm(index)
  }

  /// Answers data on a connection that the server has closed with a reset (RFC 9293, section 3.10.7.1).
  mutating func refuseData(_ index: Int32) {
    connections[index, .down].tcp.sendReset(at: time, &wires[.down])
    connections[index, .down].tcp.close()
  }
}
