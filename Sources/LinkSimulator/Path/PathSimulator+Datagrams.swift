/// Connections over QUIC: they differ from TCP's in how they receive packets and run timers.
extension PathSimulator {
  /// Starts a QUIC connection: the client sends its ClientHello (RFC 9001, section 4).
  mutating func connectDatagrams(_ index: Int32) {
    connections[index, .up].tcp.phase = .synchroniseSent
    let isKnown = connections[pool: connections[index].pool].isKnown
    connections[index, .up].quic[0].handshake.hasToken = isKnown
    connections[index, .down].quic[0].handshake.asksForToken = configuration.validatesAddresses
    let isResumed = isKnown && configuration.resumesSessions
    connections[index].flight =
      isResumed ? QuicHandshake.resumed : max(0, configuration.certificates) + QuicHandshake.serverRest
    connections[index, .up].quic[0].handshake.expected = [QuicHandshake.serverHello, connections[index].flight]
    connections[index, .down].quic[0].handshake.expected = [QuicHandshake.clientHello, QuicHandshake.finished]
    connections[index, .up].quic[0].handshake.written[0] = QuicHandshake.clientHello
    for direction in Direction.allCases {
      // One nanosecond more, so that the acknowledgement leaves together with the computed message.
      let computing = computing(index, direction)
      connections[index, direction].quic[0].handshake.computing = computing > 0 ? computing.saturatingAdd(1) : 0
    }
    connections[index, .up].quic[0].begin(at: time)
    connections[index, .up].quic[0].sender.piece = max(1, configuration.uploadBuffer ?? .max)
    connections[index, .up].quic[0].keepsAlive = true
    connections[index, .up].transmit(at: time, &wires[.up])
    guard configuration.racesQuic, !connections[index].isPrivate else { return }
    connections[index].racesAt = time.saturatingAdd(Self.headStart)
    arm(.race, index, at: connections[index].racesAt)
  }

  /// Whether a middlebox lets a QUIC packet pass.
  mutating func admitsDatagram(_ packet: borrowing Packet, _ direction: Direction) -> Bool {
    switch phase.conditions.udp {
    case .open: true
    case .blocked: false
    case .limited(let rate): policers[direction].admits(Int64(packet.size), at: time, rate: rate)
    }
  }

  /// How long the QUIC end that sends in `direction` computes during the handshake, in nanoseconds.
  func computing(_ index: Int32, _ direction: Direction) -> Int64 {
    let all = max(0, configuration.handshakeComputing.wholeNanoseconds)
    return all / 4 * connections[index, direction].quic[0].sender.stack.computes
  }

  /// Handles a QUIC packet that arrived at the server (`up`) or at the client (`down`).
  mutating func receiveDatagram(_ packet: borrowing Packet, _ direction: Direction) {
    let (index, back) = (packet.owner, direction.opposite)
    if direction == .up, connections[index].isUnreachable { return }
    if direction == .up, connections[index].isRefused {
      // A host whose server does not speak QUIC answers that the port is closed (RFC 792).
      return connections[index, back].tcp.sendReset(at: time, &wires[back])
    }
    // An end that has given up has forgotten the connection (RFC 9000, section 10.1).
    guard connections.receiveDatagram(packet, back, at: time) else { return }
    if packet.kind == .handshake { receiveHandshake(packet, direction) }
    if connections.hasOffers(index, direction) { takeOffers(index, direction) }
    if direction == .up, connections.hasEndings(index, .down) { closeStreams(index) }
    // A server's QUIC stack acknowledges before its application has read.
    if direction == .up, connections.mustAcknowledge(index, back) { transmit(index, back) }
    readDatagrams(index, direction)
    guard !connections[index].isClosed || direction == .up else { return }
    transmit(index, back)
  }

  /// Handles each packet of a handshake datagram, and the handshake step that it completes.
  private mutating func receiveHandshake(_ packet: borrowing Packet, _ direction: Direction) {
    let (index, back) = (packet.owner, direction.opposite)
    for part in connections[index, direction].quic[0].handshake.datagrams[Int(packet.stamp)] {
      connections[index, back].quic[0].receive(part, at: time)
    }
    if direction == .down, connections[index].failsHandshake, connections[index, .up].quic[0].handshake.canWrite {
      return connectionFailed(index, .handshakeFailed)
    }
    switch connections[index, back].quic[0].takeMilestone() {
    case .hello: compute(index, for: computing(index, .down))
    case .flight: compute(index, for: computing(index, .up))
    case .finished: confirmDatagramHandshake(index)
    case nil: break
    }
  }

  /// The server answers the ClientHello, and may send data from then on (RFC 9001, section 4.1).
  mutating func answerDatagramHello(_ index: Int32) {
    let refuses = connections[index].failsHandshake
    connections[index, .down].quic[0].answer(refuses ? 0 : connections[index].flight)
    if !refuses { connections[index, .down].put(.filler, QuicHandshake.serverSettings) }
    transmit(index, .down)
    rearm(index)
  }

  /// Ends the handshake at the client: it sends its Finished, and requests may leave with it.
  mutating func finishDatagramHandshake(_ index: Int32) {
    connections[index, .up].quic[0].establish(at: time)
    connections[index, .up].tcp.phase = .established
    connections[index, .up].quic[0].handshake.written[1] = QuicHandshake.finished
    connections[index, .up].put(.filler, QuicHandshake.clientSettings)
    transmit(index, .up)
    let slot = connections[index].stream
    if slot >= 0 { report(.connected(reused: false), stream: slot) }
  }

  /// Confirms the handshake at the server, which has received the client's Finished.
  mutating func confirmDatagramHandshake(_ index: Int32) {
    transmit(index, .down)
    connections[index, .down].quic[0].establish(at: time)
    takeOffers(index, .up)
    connections[index, .down].quic[0].sender.discard(.handshake, at: time)
    connections[index, .down].tcp.phase = .established
    transmit(index, .down)
    connections[index, .down].put(.handshakeDone, QuicHandshake.confirmation)
    transmit(index, .down)
  }

  /// Makes a client send keep-alive packets only while a request is open on the connection.
  mutating func updateKeepAlive(_ index: Int32) {
    guard connections[index].isQuic else { return }
    connections[index, .up].quic[0].keepsAlive = connections[index].load > 0
    rearm(index)
  }

  mutating func datagramTimersFired(_ index: Int32, at due: Int64) {
    for direction in Direction.allCases where connections[index, direction].deadline <= due {
      guard !connections[index, direction].quic[0].timerFired(at: time) else {
        if direction == .down {
          connections[index, .down].close()
        } else {
          connectionFailed(index, connections[index].isReady ? .retransmissionsExhausted : .connectTimedOut)
        }
        continue
      }
      if connections[index, direction].quic[0].sender.probesDue > 0 { wires[direction].note(.stalled, of: index) }
      transmit(index, direction)
    }
    passNotices()
    rearm(index)
    if connections[index].isClosed { freeIfUnused(index) }
  }
}
