/// The TLS handshake (RFC 8446, section 2), in which each end computes before it sends its part.
extension PathSimulator {
  /// How long the end whose turn it is computes over TCP: of the whole, 16 % before the client's hello, 28 % before the
  /// server's answer, 41 % before the client's Finished, and the rest before the server's tickets.
  ///
  /// Measured to within two points with OpenSSL 3.0 at both ends and nginx 1.22: ECDSA P-256, one certificate, not verified;
  /// the medians of 40 handshakes.
  func computing(_ index: Int32) -> Int64 {
    let all = max(0, configuration.handshakeComputing.wholeNanoseconds)
    let (hello, answer, finished) = (all / 100 * 16, all / 100 * 28, all / 100 * 41)
    if connections[index, .up].tcp.sender.written == 0 { return hello }
    if connections[index, .down].tcp.sender.written == 0 { return answer }
    return connections[index].isReady ? all - hello - answer - finished : finished
  }

  /// The end whose turn it is computes, and then sends its part.
  mutating func compute(_ index: Int32, for time: Int64) {
    if time == 0 { return proceed(index) }
    connections[index].securedAt = self.time.saturatingAdd(time)
    arm(.handshake, index, at: connections[index].securedAt)
  }

  mutating func handshakeTimerFired(_ index: Int32, at due: Int64) {
    guard connections[index].securedAt == due, !connections[index].isClosed else { return }
    connections[index].securedAt = .max
    proceed(index)
    rearm(index)
  }

  private mutating func proceed(_ index: Int32) {
    if connections[index].isQuic {
      if connections[index, .down].quic[0].hasAnswered { becomeReady(index) } else { answerDatagramHello(index) }
    } else if connections[index, .up].tcp.sender.written == 0 {
      connections[index, .up].put(.clientHello, Connection.clientHello)
      transmit(index, .up)
    } else if connections[index, .down].tcp.sender.written == 0 {
      answerHello(index)
    } else if !connections[index].isReady {
      becomeReady(index)
    } else {
      welcome(index)
    }
  }

  private mutating func answerHello(_ index: Int32) {
    if connections[index].failsHandshake {
      connections[index, .down].put(.alert, Connection.alert)
    } else {
      connections[index, .down].put(.serverFlight, Connection.serverFlight + max(0, configuration.certificates))
    }
    transmit(index, .down)
  }

  /// The TLS handshake is done for the server, too.
  ///
  /// In HTTP/2 it reads what has come meanwhile before it writes its settings, so that they share a record with the
  /// acknowledgement of the client's (nginx 1.22, `ngx_http_v2_init`).
  private mutating func welcome(_ index: Int32) {
    for ticket in Connection.tickets {
      connections[index, .down].put(.filler, ticket)
      transmit(index, .down)
    }
    guard connections[index].isMultiplexed else { return read(index, .up) }
    connections[index].settings = Connection.serverSettings
    read(index, .up)
    let settings = connections[index].settings
    connections[index].settings = 0
    sendSettings(index, .down, settings)
  }
}
