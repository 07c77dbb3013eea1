/// QUIC and TCP side by side, where a host has both.
///
/// A client tries QUIC first, and TCP beside it once QUIC has had its head start; the one whose handshake is over first has all
/// requests. Where TCP wins, requests go there for a time. URLSession races them, too ("Accelerate networking with HTTP/3 and
/// QUIC", WWDC 2021), and does not say by which times: these are those of public specifications and sources.
extension PathSimulator {
  /// The head start of QUIC: the delay between attempts of RFC 8305, section 5, which
  /// draft-ietf-happy-happyeyeballs-v3 keeps for QUIC before TCP.
  static let headStart: Int64 = 250_000_000
  /// For how long requests go over TCP once TCP was there first: Chromium's `kDefaultBrokenAlternativeProtocolDelay`, which
  /// counts from a failure of QUIC.
  static let avoidance: Int64 = 300_000_000_000

  /// The pool of HTTP/2 to the host of one of HTTP/3.
  private mutating func poolOverTCP(_ pool: Int32) -> Int32 {
    var key = connections[pool: pool].key
    (key.version, key.isSecure) = (.http2, true)
    if let known = connections.pool(key) { return known }
    return connections.addPool(key, lookup: connections[pool: pool].lookup, seed: seed)
  }

  /// Sends a request that is to start over TCP while QUIC is avoided.
  mutating func avoidQuic(_ slot: Int32) {
    let pool = streams[slot].pool
    guard connections[pool: pool].key.version == .http3, time < connections[pool: pool].avoidsQuicUntil,
      streams[slot].state == .pending, !streams.forcesConnection(slot)
    else { return }
    streams[slot].change(to: poolOverTCP(pool))
    report(.fellBack, stream: slot)
  }

  /// QUIC has had its head start: TCP is tried, too.
  mutating func beginRace(_ index: Int32, at due: Int64) {
    guard connections[index].racesAt == due, !connections[index].isReady, !connections[index].isClosed,
      connections[index].rival < 0
    else { return }
    openRival(of: index)
  }

  private mutating func openRival(of index: Int32) {
    let pool = poolOverTCP(connections[index].pool)
    // A connection that stands, or is being made, serves at once.
    if connections[pool: pool].shared >= 0 {
      preferTCP(connections[index].pool)
      moveRequests(of: index, to: pool)
      giveUp(index)
      return serveWaiting(pool)
    }
    let rival = addConnection(in: pool, for: -1)
    connections[index].rival = rival
    connections[rival].rival = index
    connections[rival, .up].tcp.connect(at: time, &wires[.up])
    rearm(rival)
  }

  /// A connection is about to be ready while another is tried: the other is given up, and its requests go here.
  mutating func winRace(_ index: Int32) {
    let loser = connections[index].rival
    connections[index].rival = -1
    connections[loser].rival = -1
    if !connections[index].isQuic {
      preferTCP(connections[loser].pool)
      takeRequests(of: loser, to: index)
      if connections[index].stream >= 0 { report(.connected(reused: false), stream: connections[index].stream) }
    }
    giveUp(loser)
  }

  private mutating func preferTCP(_ pool: Int32) {
    connections[pool: pool].avoidsQuicUntil = time.saturatingAdd(Self.avoidance)
  }

  /// Closes a connection that was tried beside another; what waits for it looks for another.
  private mutating func giveUp(_ index: Int32) {
    let pool = connections[index].pool
    closeConnection(index, resetting: false)
    serveWaiting(pool)
  }

  /// The requests that waited for QUIC go over this connection of TCP, the one that opened the other as its own.
  private mutating func takeRequests(of loser: Int32, to index: Int32) {
    let slot = connections[loser].stream
    connections[index].load = 0
    if slot >= 0, streams[slot].state == .connecting {
      flush(loser)
      connections[loser].stream = -1
      streams[slot].change(to: connections[index].pool)
      streams[slot].connection = index
      streams[slot].statistics.connection = connections[index].number
      (connections[index].stream, connections[index].load) = (slot, 1)
      if let limit = streams.faults(slot)?.natLimit { forget(index, after: limit) }
      report(.fellBack, stream: slot)
    }
    moveRequests(of: loser, to: connections[index].pool)
  }

  /// The requests that waited for QUIC wait in a pool of TCP.
  private mutating func moveRequests(of loser: Int32, to pool: Int32) {
    let slot = connections[loser].stream
    if slot >= 0, streams[slot].state == .connecting {
      flush(loser)
      connections[loser].stream = -1
      (streams[slot].state, streams[slot].connection) = (.waiting, -1)
      connections[pool: connections[loser].pool].waiting.prepend(streams.handle(slot))
    }
    while let waiting = connections[pool: connections[loser].pool].waiting.popFirst() {
      guard let slot = streams.slot(of: waiting, in: .waiting) else { continue }
      streams[slot].change(to: pool)
      report(.fellBack, stream: slot)
      connections[pool: pool].waiting.append(waiting)
    }
  }

  /// A connection has failed: whether its requests may still be served by the other.
  ///
  /// Where both have failed, they have failed as TCP has.
  mutating func losesRace(_ index: Int32) -> Bool {
    if connections[index].isQuic {
      guard connections[index].racesAt < .max, !connections[index].isReady else { return false }
      connections[index, .up].close()
      if connections[index].rival < 0 { openRival(of: index) }
      return true
    }
    let rival = connections[index].rival
    guard rival >= 0 else { return false }
    connections[index].rival = -1
    connections[rival].rival = -1
    let hasFailed = connections[rival, .up].tcp.phase == .closed
    guard hasFailed else {
      giveUp(index)
      return true
    }
    // The requests of both fail with this one.
    takeRequests(of: rival, to: index)
    closeConnection(rival, resetting: false)
    return false
  }

  /// A connection is closed, for which another was tried as well.
  mutating func leaveRace(_ index: Int32) {
    let rival = connections[index].rival
    guard rival >= 0 else { return }
    connections[index].rival = -1
    connections[rival].rival = -1
    if connections[index].isQuic, !connections[rival].isReady { giveUp(rival) }
  }
}
