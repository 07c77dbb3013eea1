/// The race between QUIC and TCP, for hosts that speak both.
///
/// A client tries QUIC first, and TCP after a head start. The connection that finishes its handshake first serves all
/// requests. After TCP has won, the host's requests use TCP for a time. URLSession races, too ("Accelerate networking
/// with HTTP/3 and QUIC", WWDC 2021), but Apple does not document its delays. These come from public specifications and
/// sources.
extension PathSimulator {
  /// QUIC's head start before TCP is tried: 250 ms (RFC 8305, section 5; draft-ietf-happy-happyeyeballs-v3).
  static let headStart: Int64 = 250_000_000
  /// How long a host's requests use TCP after TCP has won the race: 5 minutes.
  ///
  /// Chromium's `kDefaultBrokenAlternativeProtocolDelay`, which counts from a failure of QUIC instead.
  static let avoidance: Int64 = 300_000_000_000

  /// The HTTP/2 pool of the host of an HTTP/3 pool.
  private mutating func poolOverTCP(_ pool: Int32) -> Int32 {
    var key = connections[pool: pool].key
    (key.version, key.isSecure) = (.http2, true)
    if let known = connections.pool(key) { return known }
    return connections.addPool(key, lookup: connections[pool: pool].lookup, seed: seed)
  }

  /// Moves a new request to HTTP/2 while its host's QUIC is avoided.
  mutating func avoidQuic(_ slot: Int32) {
    let pool = streams[slot].pool
    guard connections[pool: pool].key.version == .http3, time < connections[pool: pool].avoidsQuicUntil,
      streams[slot].state == .pending, !streams.forcesConnection(slot)
    else { return }
    streams[slot].change(to: poolOverTCP(pool))
    report(.fellBack, stream: slot)
  }

  /// Starts TCP beside QUIC after QUIC's head start.
  mutating func beginRace(_ index: Int32, at due: Int64) {
    guard connections[index].racesAt == due, !connections[index].isReady, !connections[index].isClosed,
      connections[index].rival < 0
    else { return }
    openRival(of: index)
  }

  private mutating func openRival(of index: Int32) {
    let pool = poolOverTCP(connections[index].pool)
    closeIfStale(pool)
    // An existing TCP connection serves the requests at once.
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

  /// Ends the race: the first connection to finish its handshake takes all requests, and the other is closed.
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

  /// Closes the connection that lost the race; requests in its pool look for another.
  private mutating func giveUp(_ index: Int32) {
    let pool = connections[index].pool
    closeConnection(index, resetting: false)
    serveWaiting(pool)
  }

  /// Moves the requests that waited for QUIC to a TCP connection, which serves the QUIC connection's first request.
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

  /// Moves the requests that waited for QUIC to the waiting list of a TCP pool.
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

  /// Handles a failed connection of a race; returns whether its rival may still serve the requests.
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
    // The requests of both connections fail with this one.
    takeRequests(of: rival, to: index)
    closeConnection(rival, resetting: false)
    return false
  }

  mutating func leaveRace(_ index: Int32) {
    let rival = connections[index].rival
    guard rival >= 0 else { return }
    connections[index].rival = -1
    connections[rival].rival = -1
    if connections[index].isQuic, !connections[rival].isReady { giveUp(rival) }
  }
}
