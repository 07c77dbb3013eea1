extension PathSimulator {
  /// The number of the next unused random stream, for a new connection or look-up.
  var newFlow: Int32 { Int32(wires[.up].link.flows.count) }

  /// Sets the random source of a flow's packets, and the flow's name in the link's script.
  mutating func begin(
    _ flow: Int32, _ random: KeyedRandom, origin: @autoclosure () -> String, connection: Int
  ) {
    for direction in Direction.allCases {
      wires[direction].link.begin(flow, random.keyed(by: UInt64(direction.index)))
      wires[direction].link.script?.begin(
        Int(flow), LinkScript.FlowName(origin: origin(), connection: connection))
    }
  }

  mutating func openConnection(for slot: Int32) {
    let index = addConnection(in: streams[slot].pool, for: slot)
    forget(index, after: streams.faults(slot)?.natLimit ?? .max)
    streams[slot].connection = index
    streams[slot].state = .connecting
    streams[slot].statistics.connection = connections[index].number
    if streams[slot].use == .standing, !connections[index].isQuic {
      connections[index, .up].tcp.stand(asClient: true, at: time)
      connections[index, .down].tcp.stand(asClient: false, at: time)
      connected(index)
    } else if connections[index].isQuic {
      connectDatagrams(index)
    } else {
      connections[index, .up].tcp.connect(at: time, &wires[.up])
    }
    rearm(index)
  }

  /// Adds a connection to a pool, for the request in `slot`, or for none when `slot` is -1.
  mutating func addConnection(in pool: Int32, for slot: Int32) -> Int32 {
    let key = connections[pool: pool].key
    let (number, random) = connections.count(in: pool)
    let index = connections.add(
      Connection(
        key, pool: pool, number: number, for: slot < 0 ? nil : streams[slot], at: slot,
        scheduling: configuration.scheduling),
      flow: newFlow,
      control: configuration.congestionControl, clock: clock)
    for direction in Direction.allCases {
      let random = random.keyed(by: "control \(direction.index)")
      if connections[index].isQuic {
        connections[index, direction].quic[0].sender.control[0].seed(random)
      } else {
        connections[index, direction].tcp.sender.control[0].seed(random)
      }
    }
    begin(connections[index, .up].tcp.flow, random, origin: key.address, connection: number)
    connections[index].idleLimit = max(0, configuration.serverKeepAlive?.wholeNanoseconds ?? .max)
    forget(index, after: max(0, configuration.natTimeout?.wholeNanoseconds ?? .max))
    if connections[index].isQuic { connections[index].streamLimit = configuration.streamsPerConnection }
    connections[pool: pool].live += 1
    if key.version != .http1, !connections[index].isPrivate {
      connections[pool: pool].shared = index
    }
    if loggedConnections != nil { logConnection(index) }
    return index
  }

  /// Handles a packet that arrived at the server (`up`) or at the client (`down`).
  mutating func arrived(_ packet: borrowing Packet, _ direction: Direction) {
    let index = packet.owner
    switch packet.kind {
    case .query:
      questionArrived(index)
      return
    case .answer:
      answerArrived(index)
      return
    default:
      break
    }
    if connections[index].isClosed, connections[index, .down].tcp.phase == .closed {
      // Both ends are gone.
      freeIfUnused(index)
      return
    }
    if phase.conditions.udp != .open, connections[index].isQuic, !admitsDatagram(packet, direction) {
      if loggedConnections != nil { logDrop(packet, direction, .blocked) }
      lost(index, packet.kind, direction, .blocked)
      return
    }
    if forgetsConnections, isForgotten(packet, direction) {
      if loggedConnections != nil { logDrop(packet, direction, .forgotten) }
      lost(index, packet.kind, direction, .forgotten)
      return
    }
    receive(packet, direction)
    if loggedConnections != nil { logArrival(packet, direction) }
    rearm(index)
    if connections[index].isClosed { freeIfUnused(index) }
  }

  private mutating func receive(_ packet: borrowing Packet, _ direction: Direction) {
    let (index, kind, back) = (packet.owner, packet.kind, direction.opposite)
    if kind == .datagram || kind == .handshake { return receiveDatagram(packet, direction) }
    if connections[index, back].tcp.phase != .established || kind != .segment {
      guard receiveSynchronising(packet, direction) else { return }
    }
    if !connections.receive(packet, back, at: time, &wires[back.index]) {
      fill(index, back)
      connections[index, back].tcp.transmit(acknowledging: true, at: time, &wires[back])
    }
    announce(index, back)
    if direction == .up, connections[index].hasOutput { writeOutput(index) }
    read(index, direction)
  }

  /// Handles a handshake packet or a reset; returns whether to process it as a data segment, too.
  private mutating func receiveSynchronising(_ packet: borrowing Packet, _ direction: Direction)
    -> Bool
  {
    let (index, kind, back) = (packet.owner, packet.kind, direction.opposite)
    if kind == .synchronise {
      if connections[index].isUnreachable { return false }
      if connections[index].isRefused {
        connections[index, back].tcp.sendReset(at: time, &wires[back])
        return false
      }
    }
    let outcome = connections[index, back].tcp.receiveSynchronising(packet, at: time, &wires[back])
    switch (outcome, direction) {
    case (.established, .up): return true
    case (.established, .down): connected(index)
    case (.reset, .up): connections[index, back].close()
    case (.reset, .down): connectionFailed(index, connections[index].isReady ? .reset : .refused)
    default: break
    }
    return false
  }

  /// Handles the end of the client's TCP handshake.
  private mutating func connected(_ index: Int32) {
    let slot = connections[index].stream
    if slot >= 0 { report(.connected(reused: false), stream: slot) }
    if connections[index].isSecure {
      compute(index, for: computing(index))
    } else {
      becomeReady(index)
    }
  }

  mutating func becomeReady(_ index: Int32) {
    if connections[index].rival >= 0 { winRace(index) }
    connections[index].isReady = true
    if connections[index].isQuic {
      finishDatagramHandshake(index)
    } else {
      if connections[index].isSecure {
        connections[index, .up].put(.finished, Connection.finished)
        transmit(index, .up)
      }
      if connections[index].isMultiplexed { greet(index) }
    }
    let slot = connections[index].stream
    if slot >= 0 {
      if connections[index].isSecure { report(.secured, stream: slot) }
      streams[slot].state = .active
      beginStream(slot, on: index)
      load(slot, .up)
      load(slot, .down)
    }
    transmit(index, .up)
    if connections[index].isMultiplexed {
      serveWaiting(connections[index].pool)
    } else if slot < 0 {
      connectionBecameIdle(index)
    }
  }

  private mutating func greet(_ index: Int32) {
    let last = Connection.greetings.count - 1
    for (place, count) in Connection.greetings.enumerated() {
      sendSettings(index, .up, count, isLast: place == last)
    }
  }

  /// Sends all that windows allow, to the server (`up`) or to the client (`down`).
  mutating func transmit(_ index: Int32, _ direction: Direction) {
    if !connections[index, direction].framingQueue.ready.isEmpty { fill(index, direction) }
    connections[index, direction].transmit(at: time, &wires[direction])
    announce(index, direction)
  }

  /// Reports requests that have been sent completely, and streams that need more bytes.
  @inline(__always)
  private mutating func announce(_ index: Int32, _ direction: Direction) {
    if connections[index].isFed { askForMore(index, direction) }
    guard direction == .up else { return }
    while let stream = connections.takeAnnouncement(index) {
      if let slot = streams.slot(of: stream, in: .active) { report(.requestSent, stream: slot) }
    }
  }

  private mutating func askForMore(_ index: Int32, _ direction: Direction) {
    let slot = connections[index].stream
    guard slot >= 0, !streams[slot, direction].isFinished,
      connections[index, direction].asksForMore()
    else { return }
    report(.wanting(direction), stream: slot)
  }

  /// Arms the connection's timer if the deadline is earlier; a timer that fires too early re-arms itself.
  @inline(__always)
  mutating func rearm(_ index: Int32) {
    let deadline = connections.deadline(of: index)
    if deadline < connections[index].armedAt {
      connections[index].armedAt = deadline
      arm(.connection, index, at: deadline)
    }
  }

  mutating func connectionTimerFired(_ index: Int32, at due: Int64) {
    guard connections[index].armedAt == due else { return }
    connections[index].armedAt = .max
    if connections[index].isQuic { return datagramTimersFired(index, at: due) }
    for direction in Direction.allCases
    where connections[index, direction].tcp.resume(at: time, &wires[direction]) {
      transmit(index, direction)
    }
    if connections[index, .up].tcp.deadline <= due,
      connections[index, .up].tcp.timerFired(at: time, &wires[.up]) == .timedOut
    {
      let stands = connections[index, .up].tcp.phase == .established
      connectionFailed(index, stands ? .retransmissionsExhausted : .connectTimedOut)
    }
    if connections[index, .down].tcp.deadline <= due,
      connections[index, .down].tcp.timerFired(at: time, &wires[.down]) == .timedOut
    {
      // The client is not notified: it learns this when it sends.
      connections[index, .down].close()
    }
    rearm(index)
    if connections[index].isClosed { freeIfUnused(index) }
  }

  mutating func connectionFailed(_ index: Int32, _ failure: StreamFailure) {
    guard !connections[index].isClosed, !losesRace(index) else { return }
    let wasReady = connections[index].isReady
    let pool = connections[index].pool
    let isShared = connections[pool: pool].shared == index
    let victims = streamsOn(index)
    closeConnection(index, resetting: false)
    connections[index, .down].close()
    for slot in victims { fail(slot, failure) }
    if isShared, !wasReady {
      // Requests that waited for this connection fail with it.
      while let first = connections[pool: pool].waiting.popFirst() {
        if let slot = streams.slot(of: first, in: .waiting) { fail(slot, failure) }
      }
    }
    serveWaiting(pool)
  }

  /// The requests on a connection, in the order of their numbers.
  func streamsOn(_ index: Int32) -> [Int32] {
    if connections[index].isMultiplexed {
      return streams.slots {
        $0.connection == index && ($0.state == .active || $0.state == .connecting)
      }
    }
    let slot = connections[index].stream
    return slot >= 0 ? [slot] : []
  }

  /// Returns a kept-alive connection to its pool, where it serves the next waiting request.
  mutating func connectionBecameIdle(_ index: Int32) {
    noteIdle(index)
    for direction in Direction.allCases { connections[index, direction].tcp.sender.release() }
    let pool = connections[index].pool
    connections[pool: pool].idle.append(index)
    serveWaiting(pool)
  }

  /// The client closes a connection; if `resetting`, it sends a reset to a server that still has the connection.
  mutating func closeConnection(_ index: Int32, resetting: Bool) {
    guard !connections[index].isClosed else { return }
    flush(index)
    connections[index].stream = -1
    connections[index].isClosed = true
    if resetting, connections[index, .up].tcp.phase == .established {
      connections[index, .up].tcp.sendReset(at: time, &wires[.up])
    }
    connections[index, .up].close()
    if !resetting || connections[index, .down].tcp.phase != .established {
      connections[index, .down].close()
    }
    let pool = connections[index].pool
    connections[pool: pool].live -= 1
    if connections[pool: pool].shared == index { connections[pool: pool].shared = -1 }
    connections[pool: pool].idle.removeAll { $0 == index }
    leaveRace(index)
    freeIfUnused(index)
  }

  /// Frees the index of a closed connection once the network holds none of its packets.
  mutating func freeIfUnused(_ index: Int32) {
    let flow = Int(connections[index, .up].tcp.flow)
    guard connections[index].isClosed, connections[index].isInUse,
      connections[index, .down].deadline == .max,
      wires.allSatisfy({ $0.link.flows[flow].inNetwork == 0 })
    else { return }
    connections.remove(index)
  }

  /// Closes every connection as the end of the client's process does; the servers are notified.
  ///
  /// Cancel all requests before (``PathSimulator/cancel(_:)``).
  public mutating func closeConnections() {
    for index in connections.indices where !connections[index].isClosed { closeConnection(index, resetting: true) }
  }

  /// Closes all connections without notifying servers, except QUIC connections that migrate.
  mutating func disconnect() {
    var moved: [Int32] = []
    for index in connections.indices where !connections[index].isClosed {
      if survivesMove(index) { moved.append(index) } else { closeConnection(index, resetting: false) }
    }
    for pool in connections.poolIndices { connections[pool: pool].waiting.removeAll() }
    resolver.stop()
    for slot in streams.slots(where: { $0.state != .ended && $0.state != .pending })
    where streams[slot].state != .active || !moved.contains(streams[slot].connection) {
      fail(slot, .connectionLost)
    }
    for index in moved { migrate(index) }
  }
}
