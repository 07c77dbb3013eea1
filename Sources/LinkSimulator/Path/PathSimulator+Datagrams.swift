/// Connections of QUIC: as those of TCP, but for how packets are taken and timers run.
extension PathSimulator {
  /// A client begins (RFC 9001, section 4): its hello is the first packet.
  mutating func connectDatagrams(_ index: Int32) {
    connections[index, .up].tcp.phase = .synchroniseSent
    // A nanosecond longer, so that the acknowledgement leaves with the client's Finished.
    let computing = max(0, configuration.handshakeComputing.wholeNanoseconds)
    connections[index, .up].quic[0].computing = computing > 0 ? computing.saturatingAdd(1) : 0
    connections[index, .up].quic[0].begin(at: time)
    connections[index, .up].quic[0].sender.buffer = max(1, configuration.uploadBuffer ?? .max)
    connections[index, .up].quic[0].keepsAlive = true
    connections[index, .up].put(.clientHello, QuicEnd.clientHello)
    connections[index, .up].transmit(at: time, &wires[.up])
    guard configuration.racesQuic, !connections[index].isPrivate else { return }
    connections[index].racesAt = time.saturatingAdd(Self.headStart)
    arm(.race, index, at: connections[index].racesAt)
  }

  /// Whether a middlebox lets a packet of QUIC pass.
  mutating func admitsDatagram(_ packet: borrowing Packet, _ direction: Direction) -> Bool {
    switch conditions.udp {
    case .open: true
    case .blocked: false
    case .limited(let rate): policers[direction].admits(Int64(packet.size), at: time, rate: rate)
    }
  }

  /// A packet of QUIC has arrived at the server (`up`) or at the client (`down`).
  mutating func receiveDatagram(_ packet: borrowing Packet, _ direction: Direction) {
    let (index, back) = (packet.owner, direction.opposite)
    if direction == .up, connections[index].isUnreachable { return }
    if direction == .up, connections[index].isRefused {
      // A server that does not speak QUIC: the host says that the port is closed (RFC 792).
      return connections[index, back].tcp.sendReset(at: time, &wires[back])
    }
    connections[index, back].quic[0].receive(packet, at: time)
    readDatagrams(index, direction)
    guard !connections[index].isClosed || direction == .up else { return }
    transmit(index, back)
  }

  /// The client has all of the server's part of the handshake: requests may leave with its own.
  mutating func finishDatagramHandshake(_ index: Int32) {
    connections[index, .up].quic[0].establish(at: time)
    connections[index, .up].tcp.phase = .established
    connections[index, .up].put(.finished, QuicEnd.finished)
    connections[index, .up].put(.filler, QuicEnd.clientSettings)
    let slot = connections[index].stream
    if slot >= 0 { report(.connected(reused: false), stream: slot) }
  }

  /// The server has the client's Finished.
  mutating func confirmDatagramHandshake(_ index: Int32) {
    connections[index, .down].quic[0].establish(at: time)
    connections[index, .down].tcp.phase = .established
    connections[index, .down].put(.filler, QuicEnd.confirmation)
  }

  /// A client keeps a connection alive while a request is open on it.
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
