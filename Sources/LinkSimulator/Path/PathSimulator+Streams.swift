extension PathSimulator {
  /// Makes the record of a request.
  mutating func makeStream(_ request: StreamRequest) -> Int32 {
    let number = numbers.next
    let stream = Stream(
      number: number, owner: request.owner, key: request.key, needsResolution: request.needsResolution,
      pool: pool(for: request),
      plan: StreamFaults(request.faults))
    let slot: Int32
    if let free = freeStreams.popLast() {
      slot = free
      streams[Int(slot)] = stream
    } else {
      slot = Int32(streams.count)
      streams.append(stream)
    }
    numbers.append(slot)
    return slot
  }

  /// A reference to the request in this place.
  @inline(__always)
  func handle(_ slot: Int32) -> StreamHandle {
    StreamHandle(slot: slot, tag: streams[Int(slot)].tag)
  }

  /// The place of the request if it is still in this state; otherwise it is over, or another one stands there.
  @inline(__always)
  func slot(of handle: StreamHandle, in state: Stream.State) -> Int32? {
    let place = Int(handle.slot)
    guard place >= 0, streams[place].tag == handle.tag, streams[place].state == state else { return nil }
    return handle.slot
  }

  mutating func free(_ slot: Int32, number: Int) {
    streams[Int(slot)].release()
    freeStreams.append(slot)
    numbers.remove(number)
  }

  private mutating func pool(for request: StreamRequest) -> Int32 {
    let key = PoolKey(host: request.host, port: request.port, isSecure: request.isSecure, version: request.version)
    if latestPool >= 0, pools[Int(latestPool)].key == key { return latestPool }
    if let known = poolNumbers[key] {
      latestPool = known
      return known
    }
    let address = "\(request.host):\(request.port)"
    let counter = counterNumbers[address] ?? Int32(counters.count)
    if Int(counter) == counters.count {
      counters.append(ConnectionCounter(random: seed.keyed(by: address)))
      counterNumbers[address] = counter
    }
    let resolver = lookupNumbers[request.host] ?? Int32(makeLookup(request.host, fails: false))
    lookupNumbers[request.host] = resolver
    let number = Int32(pools.count)
    pools.append(ConnectionPool(key: key, counter: counter, resolver: resolver))
    poolNumbers[key] = number
    latestPool = number
    return number
  }

  /// A request begins.
  mutating func start(_ slot: Int32) {
    let stream = streams[Int(slot)]
    guard stream.state == .pending else { return }
    if conditions.outage == .refuse {
      fail(slot, .offline)
      return
    }
    let forces = stream.plan.map { $0.forcesConnection || $0.failsResolution } ?? false
    if !forces, let connection = readyConnection(Int(stream.pool)) {
      attach(slot, to: connection)
    } else if stream.needsResolution || stream.plan?.failsResolution == true {
      resolve(slot)
    } else {
      assign(slot)
    }
  }

  /// A connection that can take one more request at once.
  private mutating func readyConnection(_ pool: Int) -> Int32? {
    if pools[pool].key.version == .http2 {
      let shared = pools[pool].shared
      guard shared >= 0, connections[Int(shared)].isReady, !pools[pool].hasWaiting else { return nil }
      if connections[Int(shared)].load == 0, isStale(shared) {
        closeConnection(shared, resetting: false)
        return nil
      }
      return connections[Int(shared)].load < configuration.streamsPerConnection ? shared : nil
    }
    while let index = pools[pool].idle.last {
      pools[pool].idle.removeLast()
      guard isStale(index) else {
        return index
      }
      closeConnection(index, resetting: false)
    }
    return nil
  }

  /// Whether the client keeps an idle connection no longer; what the server did it knows from packets alone.
  private func isStale(_ index: Int32) -> Bool {
    time - connections[Int(index)].idleSince >= configuration.keepAlive.wholeNanoseconds
  }

  /// Finds a connection for a request, opens one, or lets it wait.
  mutating func assign(_ slot: Int32) {
    let pool = Int(streams[Int(slot)].pool)
    let forces = streams[Int(slot)].plan?.forcesConnection ?? false
    if !forces, let connection = readyConnection(pool) {
      attach(slot, to: connection)
      return
    }
    if pools[pool].key.version == .http2 {
      if forces || pools[pool].shared < 0 {
        openConnection(for: slot)
        return
      }
    } else {
      if forces, pools[pool].live >= configuration.connectionsPerHost, let idle = pools[pool].idle.last {
        closeConnection(idle, resetting: false)
      }
      if pools[pool].live < max(1, configuration.connectionsPerHost) {
        openConnection(for: slot)
        return
      }
    }
    streams[Int(slot)].state = .waiting
    pools[pool].wait(handle(slot))
  }

  /// Lets waiting requests use what has become free.
  mutating func serveWaiting(_ pool: Int32) {
    let place = Int(pool)
    while let first = pools[place].firstWaiting {
      guard let slot = slot(of: first, in: .waiting) else {
        pools[place].removeFirstWaiting()
        continue
      }
      if pools[place].key.version == .http2 {
        let shared = pools[place].shared
        if shared >= 0 {
          guard connections[Int(shared)].isReady, connections[Int(shared)].load < configuration.streamsPerConnection
          else { return }
        }
      } else if pools[place].live >= max(1, configuration.connectionsPerHost), pools[place].idle.isEmpty {
        return
      }
      pools[place].removeFirstWaiting()
      if pools[place].key.version == .http2, pools[place].shared >= 0 {
        attach(slot, to: pools[place].shared)
      } else {
        assign(slot)
      }
    }
  }

  /// Puts a request on a connection that stands.
  @inline(__always)
  mutating func attach(_ slot: Int32, to index: Int32) {
    let place = Int(index)
    serve(slot, on: index)
    connections[place].load += 1
    streams[Int(slot)].connection = index
    streams[Int(slot)].state = .active
    streams[Int(slot)].statistics.connection = connections[place].number
    report(.connected(reused: true), stream: slot)
    load(slot, .up)
    load(slot, .down)
    if connections[place].isFramed {
      unsent.append(index)
    } else {
      transmitUp(index)
      rearm(index)
    }
  }

  /// Sends the frames that were made at this instant, together, as an event loop does at the end of its turn.
  mutating func transmitUnsent() {
    var place = 0
    while place < unsent.count {
      let index = unsent[place]
      place += 1
      if connections[Int(index)].isClosed { continue }
      transmitUp(index)
      transmitDown(index)
      rearm(index)
    }
    unsent.removeAll(keepingCapacity: true)
    passNotices()
  }

  /// From now on, the connection's packets count for this request.
  @inline(__always)
  mutating func serve(_ slot: Int32, on index: Int32) {
    if connections[Int(index)].stream == slot { return }
    flush(index)
    connections[Int(index)].stream = slot
  }

  /// Adds what the connection has counted to the request that it serves.
  mutating func flush(_ index: Int32) {
    let place = Int(index)
    let slot = connections[place].stream
    if slot >= 0 {
      streams[Int(slot)].statistics.up.add(connections[place].client.counters)
      streams[Int(slot)].statistics.down.add(connections[place].server.counters)
    }
    connections[place].client.counters = StreamStatistics.Counters()
    connections[place].server.counters = StreamStatistics.Counters()
  }

  /// The request has failed.
  mutating func fail(_ slot: Int32, _ failure: StreamFailure) {
    guard streams[Int(slot)].state != .ended else { return }
    report(.failed(failure), stream: slot)
    end(slot, closing: true, resetting: false)
  }

  /// The client gives the request up.
  mutating func cancelled(_ slot: Int32) {
    guard streams[Int(slot)].state != .ended else { return }
    end(slot, closing: true, resetting: true)
  }

  /// The request is over; its connection is used on or closed.
  mutating func end(_ slot: Int32, closing: Bool, resetting: Bool) {
    let state = streams[Int(slot)].state
    guard state != .ended else { return }
    let index = streams[Int(slot)].connection
    streams[Int(slot)].state = .ended
    streams[Int(slot)].wakeAt = .max
    if index >= 0, state == .active || state == .connecting, !connections[Int(index)].isClosed {
      let place = Int(index)
      if connections[place].stream == slot { flush(index) }
      connections[place].load -= 1
      connections[place].idleLimit = min(connections[place].idleLimit, streams[Int(slot)].plan?.idleLimit ?? .max)
      let pool = connections[place].pool
      if connections[place].isMultiplexed, !connections[place].isPrivate {
        if connections[place].stream == slot { connections[place].stream = -1 }
        if resetting, state == .active { sendCancellation(slot, index) }
        if connections[place].load == 0 { noteIdle(index) }
        serveWaiting(pool)
      } else if closing || !streams[Int(slot)].up.isComplete {
        connections[place].stream = -1
        closeConnection(index, resetting: resetting || !closing)
        serveWaiting(pool)
      } else {
        connections[place].stream = -1
        connectionBecameIdle(index)
      }
    }
    if streams[Int(slot)].isForgotten { free(slot, number: streams[Int(slot)].number) }
  }

  /// A kept-alive connection can take the next request.
  mutating func connectionBecameIdle(_ index: Int32) {
    let place = Int(index)
    noteIdle(index)
    connections[place].client.sender.release()
    connections[place].server.sender.release()
    let pool = Int(connections[place].pool)
    pools[pool].idle.append(index)
    if pools[pool].hasWaiting { serveWaiting(Int32(pool)) }
  }

  private mutating func sendCancellation(_ slot: Int32, _ index: Int32) {
    let place = Int(index)
    let count = connections[place].up.append(
      .cancellation, Connection.streamReset, framing: connections[place].isSecure ? Connection.recordOverhead : 0,
      stream: handle(slot), marks: false)
    connections[place].client.sender.written += count
    transmitUp(index)
    rearm(index)
  }

  mutating func streamTimerFired(_ place: Int, at due: Int64) {
    guard streams[place].wakeAt == due, streams[place].state == .active else { return }
    streams[place].wakeAt = .max
    if streams[place].plan?.isStalled == true {
      streams[place].plan?.isStalled = false
      streams[place].plan?.stalls.removeLast()
      settle(Int32(place))
    } else {
      finish(Int32(place))
    }
  }
}
