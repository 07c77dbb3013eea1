/// The TLS handshake (RFC 8446, section 2), with a computing time before each message.
extension PathSimulator {
  /// The computing time in nanoseconds of the end that sends TLS's next message over TCP.
  ///
  /// Shares of the total: 16 % for the ClientHello, 28 % for the server's answer, 41 % for the client's Finished, the
  /// rest for the server's tickets. Medians of 40 handshakes, to within two points, with OpenSSL 3.0 and nginx 1.22
  /// (ECDSA P-256, one certificate, not verified).
  func computing(_ index: Int32) -> Int64 {
    let all = max(0, configuration.handshakeComputing.wholeNanoseconds)
    let (hello, answer, finished) = (all / 100 * 16, all / 100 * 28, all / 100 * 41)
    if connections[index, .up].tcp.sender.written == 0 { return hello }
    if connections[index, .down].tcp.sender.written == 0 { return answer }
    return connections[index].isReady ? all - hello - answer - finished : finished
  }

  /// Waits for `time` nanoseconds of computing, and then sends the next handshake message.
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
      finishServerHandshake(index)
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

  /// Ends the TLS handshake at the server, which sends its session tickets.
  ///
  /// An HTTP/2 server first reads the bytes that have arrived. It then sends its SETTINGS and its acknowledgement of
  /// the client's SETTINGS in one record (nginx 1.22, `ngx_http_v2_init`).
  private mutating func finishServerHandshake(_ index: Int32) {
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
