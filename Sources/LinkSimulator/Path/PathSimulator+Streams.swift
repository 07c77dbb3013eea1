extension PathSimulator {
  /// Returns the pool of a request's host, port and protocol, and creates it if needed.
  mutating func pool(for request: StreamRequest) -> Int32 {
    let key = PoolKey(
      host: request.host, port: request.port, isSecure: request.isSecure, version: request.version)
    if let known = connections.pool(key) { return known }
    let lookup = resolver.lookup(of: request.host) ?? makeLookup(request.host, fails: false)
    return connections.addPool(key, lookup: lookup, seed: seed)
  }

  /// Starts a request: on an existing connection, with a name look-up, or on a new connection.
  mutating func start(_ slot: Int32) {
    avoidQuic(slot)
    guard streams[slot].state == .pending else { return }
    if phase.conditions.outage == .refuse {
      fail(slot, .offline)
      return
    }
    let failsResolution = streams.faults(slot)?.failsResolution ?? false
    let forces = failsResolution || streams.forcesConnection(slot)
    if !forces, let connection = readyConnection(streams[slot].pool) {
      attach(slot, to: connection)
    } else if streams[slot].needsResolution || failsResolution {
      resolve(slot)
    } else {
      assign(slot)
    }
  }

  /// Takes a connection from a pool that can serve one more request at once; `nil` when there is none.
  private mutating func readyConnection(_ pool: Int32) -> Int32? {
    if connections[pool: pool].key.version != .http1 {
      closeIfStale(pool)
      let shared = connections[pool: pool].shared
      guard shared >= 0, connections[shared].isReady, connections[pool: pool].waiting.isEmpty, hasRoom(shared) else {
        return nil
      }
      return shared
    }
    while let index = connections[pool: pool].idle.popLast() {
      guard isStale(index) else { return index }
      closeConnection(index, resetting: false)
    }
    return nil
  }

  /// Whether new requests to this host can share a TLS connection that exists or is being opened.
  package mutating func hasConnection(to host: String, _ port: Int, _ version: StreamRequest.HTTPVersion) -> Bool {
    let key = PoolKey(host: host, port: port, isSecure: true, version: version)
    guard let pool = connections.pool(key), connections[pool: pool].shared >= 0 else { return false }
    let shared = connections[pool: pool].shared
    return connections[shared].load > 0 || !connections[shared].isReady || !isStale(shared)
  }

  /// Closes a pool's shared connection if it was idle for longer than the client keeps it.
  mutating func closeIfStale(_ pool: Int32) {
    let shared = connections[pool: pool].shared
    guard shared >= 0, connections[shared].isReady, connections[shared].load == 0, isStale(shared) else { return }
    closeConnection(shared, resetting: false)
  }

  /// Whether a connection has been idle for longer than the client keeps it; the client does not know yet if the server
  /// closed it.
  private func isStale(_ index: Int32) -> Bool {
    time - connections[index].idleSince >= configuration.keepAlive.wholeNanoseconds
  }

  /// Whether a host has reached its limit of HTTP/1.1 connections.
  private func isFull(_ pool: Int32) -> Bool {
    connections[pool: pool].live >= configuration.connectionsPerHost
  }

  /// Gives a request a ready connection, opens one, or makes the request wait.
  mutating func assign(_ slot: Int32) {
    let pool = streams[slot].pool
    let forces = streams.forcesConnection(slot)
    if streams[slot].use != .pooled { return openConnection(for: slot) }
    if !forces, let connection = readyConnection(pool) {
      attach(slot, to: connection)
      return
    }
    if connections[pool: pool].key.version != .http1 {
      if forces || connections[pool: pool].shared < 0 {
        openConnection(for: slot)
        return
      }
    } else {
      if forces, isFull(pool), let idle = connections[pool: pool].idle.last {
        closeConnection(idle, resetting: false)
      }
      if !isFull(pool) {
        openConnection(for: slot)
        return
      }
    }
    streams[slot].state = .waiting
    connections[pool: pool].waiting.append(streams.handle(slot))
  }

  /// Serves waiting requests with connections that have become free.
  mutating func serveWaiting(_ pool: Int32) {
    while let first = connections[pool: pool].waiting.first {
      guard let slot = streams.slot(of: first, in: .waiting) else {
        connections[pool: pool].waiting.removeFirst()
        continue
      }
      let isShared = connections[pool: pool].key.version != .http1
      let shared = connections[pool: pool].shared
      if isShared, shared >= 0 {
        guard connections[shared].isReady, hasRoom(shared) else { return }
      } else if !isShared, isFull(pool), connections[pool: pool].idle.isEmpty {
        return
      }
      connections[pool: pool].waiting.removeFirst()
      if isShared, shared >= 0 {
        attach(slot, to: shared)
      } else {
        assign(slot)
      }
    }
  }

  mutating func attach(_ slot: Int32, to index: Int32) {
    serve(slot, on: index)
    connections[index].load += 1
    updateKeepAlive(index)
    if let limit = streams.faults(slot)?.natLimit { forget(index, after: limit) }
    streams[slot].connection = index
    streams[slot].state = .active
    beginStream(slot, on: index)
    streams[slot].statistics.connection = connections[index].number
    report(.connected(reused: true), stream: slot)
    load(slot, .up)
    load(slot, .down)
    if connections[index].isFramed {
      unsent.append(index)
    } else {
      transmit(index, .up)
      rearm(index)
    }
  }

  /// Sends all frames built at this instant together, as an event loop does at the end of its turn.
  mutating func transmitUnsent() {
    var place = 0
    while place < unsent.count {
      let index = unsent[place]
      place += 1
      if connections[index].isClosed { continue }
      transmit(index, .up)
      transmit(index, .down)
      rearm(index)
    }
    unsent.removeAll(keepingCapacity: true)
    passNotices()
  }

  /// Assigns the connection's packets to this request's statistics from now on.
  @inline(__always)
  mutating func serve(_ slot: Int32, on index: Int32) {
    if connections[index].stream == slot { return }
    flush(index)
    connections[index].stream = slot
  }

  /// Adds the connection's counters to the statistics of the request that it serves, and resets them.
  mutating func flush(_ index: Int32) {
    let slot = connections[index].stream
    for direction in Direction.allCases {
      if slot >= 0 {
        streams[slot].statistics.add(connections[index, direction].tcp.counters, direction)
      }
      connections[index, direction].tcp.counters = StreamStatistics.Counters()
    }
  }

  mutating func fail(_ slot: Int32, _ failure: StreamFailure) {
    guard streams[slot].state != .ended else { return }
    report(.failed(failure), stream: slot)
    end(slot, closing: true, resetting: false)
  }

  /// Ends a request, and keeps or closes its connection.
  mutating func end(_ slot: Int32, closing: Bool, resetting: Bool) {
    let state = streams[slot].state
    guard state != .ended else { return }
    let index = streams[slot].connection
    streams[slot].state = .ended
    streams[slot].wakeAt = .max
    if index >= 0, state == .active || state == .connecting, !connections[index].isClosed {
      let isServed = connections[index].stream == slot
      if isServed { flush(index) }
      connections[index].load -= 1
      if connections[index].isQuic { forgetStream(slot, on: index) }
      updateKeepAlive(index)
      connections[index].idleLimit = min(
        connections[index].idleLimit, streams.faults(slot)?.idleLimit ?? .max)
      if connections[index].isMultiplexed, !connections[index].isPrivate {
        if isServed { connections[index].stream = -1 }
        if resetting, state == .active {
          sendCancellation(slot, .up)
          transmit(index, .up)
          rearm(index)
        }
        if connections[index].load == 0 {
          // A client closes an unready connection with the request that opened it (curl, `multi_done`).
          if connections[index].isLeft || !connections[index].isReady {
            closeConnection(index, resetting: !connections[index].isReady)
          } else {
            noteIdle(index)
          }
        }
        serveWaiting(connections[index].pool)
      } else {
        connections[index].stream = -1
        if closing || !streams[slot].up.isComplete {
          closeConnection(index, resetting: resetting || !closing)
          serveWaiting(connections[index].pool)
        } else {
          connectionBecameIdle(index)
        }
      }
    }
    if streams[slot].isForgotten { streams.remove(slot) }
  }

  mutating func streamTimerFired(_ slot: Int32, at due: Int64) {
    guard streams[slot].wakeAt == due, streams[slot].state == .active else { return }
    streams[slot].wakeAt = .max
    if streams.faults(slot)?.isStalled == true {
      streams[slot].plan?.isStalled = false
      streams[slot].plan?.stalls.removeLast()
      settle(slot)
    } else {
      finish(slot)
    }
  }
}
