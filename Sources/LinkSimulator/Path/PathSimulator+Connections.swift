extension PathSimulator {
  /// A stream of chance for both directions of a connection or look-up.
  mutating func makeFlow(_ random: KeyedRandom) -> Int32 {
    let number = Int32(up.link.flows.count)
    up.link.flows.append(Flow(random: random.keyed(by: 0)))
    down.link.flows.append(Flow(random: random.keyed(by: 1)))
    return number
  }

  /// Opens a connection for a request.
  mutating func openConnection(for slot: Int32) {
    let stream = streams[Int(slot)]
    let pool = Int(stream.pool)
    let key = pools[pool].key
    let counter = Int(pools[pool].counter)
    let number = counters[counter].count
    counters[counter].count += 1
    let random = counters[counter].random.keyed(by: UInt64(number))
    let index: Int32
    if let free = freeConnections.popLast() {
      index = free
      let flow = connections[Int(index)].client.flow
      up.link.flows[Int(flow)] = Flow(random: random.keyed(by: 0))
      down.link.flows[Int(flow)] = Flow(random: random.keyed(by: 1))
      connections[Int(index)] = makeConnection(index, flow, number, key, stream)
    } else {
      index = Int32(connections.count)
      // A step of its own: beside a call on `self` the flows would be copied.
      let flow = makeFlow(random)
      connections.append(makeConnection(index, flow, number, key, stream))
    }
    if up.link.script != nil {
      name(connections[Int(index)].client.flow, origin: "\(key.host):\(key.port)", connection: number)
    }
    pools[pool].live += 1
    if key.version == .http2, !connections[Int(index)].isPrivate { pools[pool].shared = index }
    streams[Int(slot)].connection = index
    streams[Int(slot)].state = .connecting
    streams[Int(slot)].statistics.connection = number
    if up.tape != nil { logConnection(index, key, number) }
    connections[Int(index)].client.connect(at: time, &up)
    rearm(index)
  }

  private func makeConnection(
    _ index: Int32, _ flow: Int32, _ number: Int, _ key: PoolKey, _ stream: Stream
  ) -> Connection {
    let control = configuration.congestionControl
    var connection = Connection(
      client: Endpoint(owner: index, flow: flow, control: control, clock: clock),
      server: Endpoint(owner: index, flow: flow, control: control, clock: clock), pool: stream.pool, number: number,
      isSecure: key.isSecure, isMultiplexed: key.version == .http2, isPrivate: stream.plan?.forcesConnection ?? false)
    connection.stream = numbers.slot(of: stream.number) ?? -1
    connection.load = 1
    connection.isRefused = stream.plan?.isRefused ?? false
    connection.isUnreachable = stream.plan?.isUnreachable ?? false
    connection.failsHandshake = stream.plan?.failsHandshake ?? false
    connection.server.listen()
    return connection
  }

  /// A packet has arrived at the server (`up`) or at the client (`down`).
  @inline(__always)
  mutating func arrived(_ packet: borrowing Packet, _ direction: Direction) {
    let index = packet.owner
    switch packet.kind {
    case .query:
      questionArrived(Int(index))
      return
    case .answer:
      answerArrived(Int(index))
      return
    default:
      break
    }
    if connections[Int(index)].isClosed, connections[Int(index)].server.phase == .closed {
      // Both ends are gone.
      freeIfUnused(index)
      return
    }
    if direction == .up {
      arrivedAtServer(packet, index)
    } else {
      arrivedAtClient(packet, index)
    }
    if up.tape != nil { logArrival(packet, direction) }
    rearm(index)
    if connections[Int(index)].isClosed { freeIfUnused(index) }
  }

  @inline(__always)
  private mutating func arrivedAtServer(_ packet: borrowing Packet, _ index: Int32) {
    let place = Int(index)
    let kind = packet.kind
    if connections[place].server.phase != .established || kind != .segment {
      if kind == .synchronise {
        if connections[place].isUnreachable { return }
        if connections[place].isRefused {
          connections[place].server.sendReset(at: time, &down)
          return
        }
      }
      switch connections[place].server.receiveSynchronising(packet, at: time, &down) {
      case .established: break
      case .reset:
        connections[place].server.close()
        return
      default: return
      }
    }
    connections[place].server.receive(packet, at: time, &down)
    transmitDown(index)
    connections[place].server.acknowledgeIfDue(at: time, &down)
    readUp(index)
  }

  @inline(__always)
  private mutating func arrivedAtClient(_ packet: borrowing Packet, _ index: Int32) {
    let place = Int(index)
    let kind = packet.kind
    if connections[place].client.phase != .established || kind != .segment {
      switch connections[place].client.receiveSynchronising(packet, at: time, &up) {
      case .established: connected(index)
      case .reset: connectionFailed(index, connections[place].isReady ? .reset : .refused)
      default: break
      }
      return
    }
    connections[place].client.receive(packet, at: time, &up)
    transmitUp(index)
    connections[place].client.acknowledgeIfDue(at: time, &up)
    readDown(index)
  }

  /// The client's handshake is done.
  private mutating func connected(_ index: Int32) {
    let place = Int(index)
    let slot = connections[place].stream
    if slot >= 0 { report(.connected(reused: false), stream: slot) }
    if connections[place].isSecure {
      let count = connections[place].up.append(.clientHello, Connection.clientHello, marks: false)
      connections[place].client.sender.written += count
      transmitUp(index)
    } else {
      becomeReady(index)
    }
  }

  /// Requests may travel on the connection.
  mutating func becomeReady(_ index: Int32) {
    let place = Int(index)
    connections[place].isReady = true
    var greeting: Int64 = connections[place].isSecure ? Connection.finished : 0
    if connections[place].isMultiplexed { greeting += Connection.preface }
    if greeting > 0 {
      let count = connections[place].up.append(.filler, greeting, marks: false)
      connections[place].client.sender.written += count
    }
    let slot = connections[place].stream
    if slot >= 0 {
      if connections[place].isSecure { report(.secured, stream: slot) }
      streams[Int(slot)].state = .active
      load(slot, .up)
      load(slot, .down)
    }
    transmitUp(index)
    if connections[place].isMultiplexed {
      serveWaiting(connections[place].pool)
    } else if slot < 0 {
      connectionBecameIdle(index)
    }
  }

  /// Sends what can be sent to the server.
  @inline(__always)
  mutating func transmitUp(_ index: Int32) {
    let place = Int(index)
    if connections[place].up.hasReady { fill(index, .up) }
    connections[place].client.transmit(at: time, &up)
    while let mark = connections[place].up.takeMark(sent: connections[place].client.sender.sent) {
      if let slot = slot(of: mark, in: .active) { report(.requestSent, stream: slot) }
    }
  }

  /// Sends what can be sent to the client.
  @inline(__always)
  mutating func transmitDown(_ index: Int32) {
    let place = Int(index)
    if connections[place].down.hasReady { fill(index, .down) }
    connections[place].server.transmit(at: time, &down)
  }

  /// Sets the connection's timer; one that runs out too early finds out by itself.
  @inline(__always)
  mutating func rearm(_ index: Int32) {
    let deadline = connections[Int(index)].deadline
    if deadline < connections[Int(index)].armedAt {
      connections[Int(index)].armedAt = deadline
      arm(.connection, Int(index), at: deadline)
    }
  }

  mutating func connectionTimerFired(_ place: Int, at due: Int64) {
    guard connections[place].armedAt == due else { return }
    connections[place].armedAt = .max
    let index = Int32(place)
    if connections[place].client.deadline <= due,
      connections[place].client.timerFired(at: time, &up) == .timedOut
    {
      let failure: StreamFailure =
        connections[place].client.phase == .established ? .retransmissionsExhausted : .connectTimedOut
      connectionFailed(index, failure)
    }
    if connections[place].server.deadline <= due,
      connections[place].server.timerFired(at: time, &down) == .timedOut
    {
      // Nobody is told: the client learns it when it sends, or never.
      connections[place].server.close()
    }
    rearm(index)
    if connections[place].isClosed { freeIfUnused(index) }
  }

  /// Every request on the connection fails.
  mutating func connectionFailed(_ index: Int32, _ failure: StreamFailure) {
    let place = Int(index)
    guard !connections[place].isClosed else { return }
    let wasReady = connections[place].isReady
    let pool = connections[place].pool
    let isShared = pools[Int(pool)].shared == index
    let victims = streamsOn(index)
    closeConnection(index, resetting: false)
    connections[place].server.close()
    for slot in victims { fail(slot, failure) }
    if isShared, !wasReady {
      // Those that waited for this connection share its fate.
      while let first = pools[Int(pool)].firstWaiting {
        pools[Int(pool)].removeFirstWaiting()
        if let slot = slot(of: first, in: .waiting) { fail(slot, failure) }
      }
    }
    serveWaiting(pool)
  }

  /// The requests on a connection, in their order.
  func streamsOn(_ index: Int32) -> [Int32] {
    if !connections[Int(index)].isMultiplexed {
      let slot = connections[Int(index)].stream
      return slot >= 0 ? [slot] : []
    }
    var found: [(number: Int, slot: Int32)] = []
    for (slot, stream) in streams.enumerated() {
      if stream.connection == index, stream.state == .active || stream.state == .connecting {
        found.append((stream.number, Int32(slot)))
      }
    }
    return found.sorted { $0.number < $1.number }.map(\.slot)
  }

  /// The client closes a connection; a reset tells the server unless it knows.
  mutating func closeConnection(_ index: Int32, resetting: Bool) {
    let place = Int(index)
    guard !connections[place].isClosed else { return }
    flush(index)
    connections[place].stream = -1
    connections[place].isClosed = true
    if resetting, connections[place].client.phase == .established {
      connections[place].client.sendReset(at: time, &up)
    }
    connections[place].client.close()
    if !resetting || connections[place].server.phase != .established { connections[place].server.close() }
    let pool = Int(connections[place].pool)
    pools[pool].live -= 1
    if pools[pool].shared == index { pools[pool].shared = -1 }
    pools[pool].idle.removeAll { $0 == index }
    freeIfUnused(index)
  }

  /// Gives the place of a closed connection back once nothing of it is left in the network.
  mutating func freeIfUnused(_ index: Int32) {
    let place = Int(index)
    let flow = Int(connections[place].client.flow)
    guard connections[place].isClosed, connections[place].isInUse, connections[place].server.deadline == .max,
      up.link.flows[flow].inNetwork == 0, down.link.flows[flow].inNetwork == 0
    else { return }
    connections[place].isInUse = false
    connections[place].server.close()
    connections[place].up = Conveyor()
    connections[place].down = Conveyor()
    freeConnections.append(index)
  }

  /// The system has gone offline: everything that stands falls.
  mutating func disconnect() {
    for index in connections.indices where !connections[index].isClosed {
      closeConnection(Int32(index), resetting: false)
    }
    for index in pools.indices { pools[index].removeAllWaiting() }
    for index in lookups.indices where lookups[index].state == .asking {
      lookups[index].state = .idle
      lookups[index].deadline = .max
      lookups[index].waiting = []
    }
    var open: [(number: Int, slot: Int32)] = []
    for (slot, stream) in streams.enumerated() {
      if stream.state != .ended, stream.state != .pending { open.append((stream.number, Int32(slot))) }
    }
    for entry in open.sorted(by: { $0.number < $1.number }) { fail(entry.slot, .connectionLost) }
  }
}
