/// Computes when each byte arrives on a whole path: two links, the connections over them, and their requests.
///
/// It is a value that reads no clock. The caller hands in work at a time. ``nextEventTime`` says when to run the path next,
/// ``advance(to:)`` runs it, and ``drainEvents(_:)`` returns what happened. All requests share the path's two links.
///
/// Work handed in at the same instant is ordered by the requests' keys, not by the order of the calls. So thread timing
/// has no influence.
public struct PathSimulator: Sendable {
  /// The time up to which the path has run.
  public var now: SimulatedInstant { SimulatedInstant(nanoseconds: time) }

  /// When the path must run next; `nil` if no event is due.
  public var nextEventTime: SimulatedInstant? {
    if !commands.isEmpty { return now }
    let next = nextTime
    return next == .max ? nil : SimulatedInstant(nanoseconds: max(next, time))
  }

  /// Whether no packet is on its way.
  package var isEmpty: Bool { wires[.up].link.nextTime == .max && wires[.down].link.nextTime == .max }

  let seed: KeyedRandom
  let configuration: PathConfiguration
  let chance: PacketChance
  let clock: TickClock
  private(set) var time: Int64
  var wires: [Wire]
  private var timers = MinimumHeap()
  var events: [PathEvent] = []

  private(set) var phase: PhaseCursor

  var commands: [Command] = []
  /// The connections with frames to send at the end of the step.
  var unsent: [Int32] = []
  var streams = StreamTable()
  var connections = ConnectionTable()
  var resolver = Resolver()
  var throttles = [Throttle(), Throttle()]
  var policers = [Policer(), Policer()]
  /// Whether any request has a priority that its server obeys.
  private(set) var hasPriorities = false
  /// Whether a middlebox may forget any connection.
  var forgetsConnections = false
  /// The connections whose packets are logged, in the order of their log numbers; `nil` without a log.
  var loggedConnections: [PacketLog.Connection]?

  /// Creates a path.
  ///
  /// - Parameters:
  ///   - seed: determines all random decisions.
  ///   - schedule: the network's conditions over time.
  ///   - configuration: how hosts behave.
  ///   - chance: decides what the links do to single packets.
  ///   - start: when the path's time begins.
  public init(
    seed: UInt64, schedule: ConditionSchedule,
    configuration: PathConfiguration = PathConfiguration(),
    chance: PacketChance = .drawn, startingAt start: SimulatedInstant = .zero
  ) {
    self.seed = KeyedRandom(seed: seed)
    self.chance = chance
    self.configuration = configuration
    clock = TickClock(self.seed.keyed(by: "tick"))
    time = start.nanoseconds
    let phase = PhaseCursor(schedule, at: start)
    self.phase = phase
    wires = Direction.allCases.map { direction in
      Wire(
        link: Link(LinkParameters(phase.conditions.link(direction), isOut: phase.conditions.outage != nil)),
        direction: direction)
    }
    setThrottles()
    switch chance {
    case .drawn: break
    case .recorded: recordPacketFaults()
    case .scheduled(let faults):
      for direction in Direction.allCases {
        wires[direction].link.script = LinkScript(replaying: faults, direction)
        wires[direction].link.parameters = linkParameters(direction)
      }
    }
    report(.phaseEntered(index: phase.index), stream: nil)
  }

  /// Runs all events up to and including `time`; times before ``now`` have no effect.
  ///
  /// With ``SimulatedInstant/distantFuture`` the path runs until no event is left, and stays at the last event.
  public mutating func advance(to time: SimulatedInstant) {
    let target = time.nanoseconds
    guard target >= self.time else { return }
    if !commands.isEmpty { runCommands() }
    while true {
      let next = nextTime
      guard next <= target, next < .max else { break }
      self.time = max(self.time, next)
      step(at: next)
    }
    if target < .max { self.time = target }
  }

  /// When the path has events to return or must run next; mutating, so that reading does not copy the path.
  public mutating func nextTurn() -> SimulatedInstant? {
    if !events.isEmpty || !commands.isEmpty { return SimulatedInstant(nanoseconds: time) }
    let next = nextTime
    return next == .max ? nil : SimulatedInstant(nanoseconds: max(next, time))
  }

  /// Passes all events since the last call to `body`, oldest first, and removes them.
  public mutating func drainEvents(_ body: (PathEvent) -> Void) {
    if events.isEmpty { return }
    for event in events { body(event) }
    // Usually there is one.
    if events.count == 1 {
      events.removeLast()
    } else {
      events.removeAll(keepingCapacity: true)
    }
  }

  /// Whether the present conditions leave packets unchanged, and no middlebox forgets connections.
  public var isUnlimited: Bool {
    phase.conditions.up == .unlimited && phase.conditions.down == .unlimited && phase.conditions.outage == nil
      && configuration.natTimeout == nil
  }

  /// How many bytes handed in for a request have not been sent yet, because TCP has not taken them.
  public func unsent(_ direction: Direction, on stream: StreamID) -> Int64 {
    guard let slot = streams.slot(of: stream), streams[slot].state != .ended else { return 0 }
    let ready = streams[slot, direction].waiting
    guard streams[slot].state == .active else { return ready }
    return ready + connections.unsent(streams[slot].connection, direction)
  }

  /// How many more bytes to hand in, so that TCP always has enough when its windows open.
  ///
  /// Hand in at most this many, and more at each ``PathEvent/Kind/wanting(_:)``. Then the packets are the same as if all bytes
  /// had been ready from the beginning.
  public func room(_ direction: Direction, on stream: StreamID) -> Int64 {
    guard let slot = streams.slot(of: stream), streams[slot].state != .ended else { return 0 }
    let ready = streams[slot, direction].waiting
    guard streams[slot].state == .active else { return max(0, Self.roomBefore - ready) }
    return max(0, connections[streams[slot].connection, direction].room - ready)
  }

  /// How many bytes a sender may hand in before its connection is established: the receiver's initial window.
  private static let roomBefore = ReceiveWindow.initial

  /// Starts a request now, and returns the identifier that its events carry.
  public mutating func open(_ request: StreamRequest) -> StreamID {
    if request.priority != nil, configuration.scheduling == .fair { hasPriorities = true }
    let slot = streams.add(request, pool: pool(for: request))
    let id = streams[slot].id
    commands.append(Command(key: request.key, slot: slot, number: id.number, kind: .open))
    return id
  }

  /// Hands in `count` more bytes to send from now on; `finishing` ends this direction.
  ///
  /// `up` is the client's request (head first, then body), `down` the server's response. A response may start before the
  /// request was read completely, because a server may answer early. The request ends when both are complete, or when
  /// the response is complete and its client has stopped (``stopUpload(of:)``).
  ///
  /// `connection` has an effect only in HTTP/1.1: HTTP/2 keeps its connections.
  public mutating func write(
    _ count: Int64, _ direction: Direction, on stream: StreamID, finishing: Bool,
    connection: StreamRequest.Persistence = .kept
  ) {
    command(.write(max(0, count), direction, isLast: finishing, connection), stream)
  }

  /// Stops the client's upload: only bytes already under way arrive, and the request ends with its response.
  ///
  /// HTTP/1.1 then closes the connection, HTTP/2 resets the stream.
  public mutating func stopUpload(of stream: StreamID) {
    command(.stop, stream)
  }

  /// Adds faults to the response of a request of which nothing has been written yet.
  public mutating func add(_ faults: [StreamFault], to stream: StreamID) {
    guard !faults.isEmpty, let slot = streams.slot(of: stream) else { return }
    if streams[slot].plan == nil {
      streams[slot].plan = FaultStages(faults)
    } else {
      streams[slot].plan?.add(faults)
    }
    if let limit = streams.faults(slot)?.natLimit { forget(streams[slot].connection, after: limit) }
  }

  /// Cancels a request for the client: no further events report it.
  ///
  /// HTTP/1.1 closes its connection, HTTP/2 resets the stream.
  public mutating func cancel(_ stream: StreamID) {
    command(.cancel, stream)
  }

  /// Aborts a request at the server now; the client sees a reset when it arrives, in HTTP/2 of this request alone.
  public mutating func abort(_ stream: StreamID) {
    command(.abort, stream)
  }

  /// Replaces the network's conditions from now on; bytes already queued are sent at the new rate.
  public mutating func use(_ schedule: ConditionSchedule) {
    enter(schedule)
  }

  /// Returns the packets and bytes of a request so far; after its end, until ``forget(_:)``.
  ///
  /// Requests that share a connection divide its packets: each packet counts for the request that was served last.
  public func statistics(of stream: StreamID) -> StreamStatistics {
    guard let slot = streams.slot(of: stream) else { return StreamStatistics() }
    var statistics = streams[slot].statistics
    let (state, connection) = (streams[slot].state, streams[slot].connection)
    if state == .active || state == .connecting, connection >= 0, connections[connection].stream == slot {
      for direction in Direction.allCases {
        statistics.add(connections[connection, direction].tcp.counters, direction)
      }
    }
    return statistics
  }

  /// Frees the record of a request, as soon as it has ended.
  public mutating func forget(_ stream: StreamID) {
    guard let slot = streams.slot(of: stream) else { return }
    if streams[slot].state == .ended {
      streams.remove(slot)
    } else {
      streams[slot].isForgotten = true
    }
  }

  @inline(__always)
  private var nextTime: Int64 {
    min(min(wires[.up].link.nextTime, wires[.down].link.nextTime), min(timers.firstTime, phase.end))
  }

  /// Handles one event due at `next`: a phase first, then the up link, the down link, a timer.
  @inline(__always)
  private mutating func step(at next: Int64) {
    if phase.end == next {
      enter(phase.schedule)
    } else if wires[.up].link.nextTime == next {
      takeNext(.up)
    } else if wires[.down].link.nextTime == next {
      takeNext(.down)
    } else {
      let entry = timers.removeFirst()
      let index = Int32(truncatingIfNeeded: entry.value >> 4)
      switch TimerKind(rawValue: entry.value & 15) {
      case .connection: connectionTimerFired(index, at: entry.time)
      case .lookup: lookupTimerFired(index, at: entry.time)
      case .answer: answerTimerFired(index, at: entry.time)
      case .idleClose: idleTimerFired(index, at: entry.time)
      case .handshake: handshakeTimerFired(index, at: entry.time)
      case .race: beginRace(index, at: entry.time)
      case .tick: tickTimerFired(Direction.allCases[Int(index)], at: entry.time)
      case .latency: latencyTimerFired(index, at: entry.time)
      case .stream, nil: streamTimerFired(index, at: entry.time)
      }
    }
    passNotices()
    if !unsent.isEmpty { transmitUnsent() }
  }

  @inline(__always)
  private mutating func takeNext(_ direction: Direction) {
    if loggedConnections != nil { logLoss(direction) }
    switch wires[direction.index].link.next() {
    case .arrival(let position):
      arrived(wires[direction.index].link.packet(at: position), direction)
    case .loss(let owner, let kind, let reason): lost(owner, kind, direction, reason)
    }
  }

  @inline(__always)
  mutating func passNotices() {
    if !wires[.up].notices.isEmpty { passNotices(.up) }
    if !wires[.down].notices.isEmpty { passNotices(.down) }
  }

  mutating func arm(_ kind: TimerKind, _ index: Int32, at time: Int64) {
    if time < .max { timers.insert(time: time, value: Int(index) << 4 | kind.rawValue) }
  }

  /// Reports an event of a request or, without a slot, of the path.
  @inline(__always)
  mutating func report(_ kind: PathEvent.Kind, stream slot: Int32?) {
    let id = slot.map { streams[$0].id }
    events.append(PathEvent(time: now, stream: id, kind: kind))
  }

  private mutating func enter(_ schedule: ConditionSchedule) {
    let before = phase.conditions
    phase = PhaseCursor(schedule, at: now)
    for direction in Direction.allCases {
      wires[direction].link.use(linkParameters(direction), at: time)
    }
    report(.phaseEntered(index: phase.index), stream: nil)
    if phase.conditions.model == .devTools || before.model == .devTools { setThrottles() }
    if phase.conditions.losesConnections(of: before) { disconnect() }
  }

  private mutating func passNotices(_ direction: Direction) {
    let notices = wires[direction].notices
    wires[direction].notices.removeAll(keepingCapacity: true)
    for notice in notices {
      switch notice.kind {
      case .lost(let reason): lost(notice.owner, notice.packet, direction, reason)
      case .retransmitted(let cause): reportOwner(notice.owner, .retransmitted(direction, cause))
      case .stalled: reportOwner(notice.owner, .stalled)
      }
    }
  }

  private mutating func reportOwner(_ owner: Int32, _ kind: PathEvent.Kind) {
    let slot = connections[owner].stream
    if slot >= 0 { report(kind, stream: slot) }
  }

  mutating func lost(_ owner: Int32, _ kind: Packet.Kind, _ direction: Direction, _ reason: PacketLoss) {
    if kind == .query || kind == .answer {
      for waiter in resolver[owner].waiting {
        if let slot = streams.slot(of: waiter, in: .resolving) {
          report(.packetLost(direction, reason), stream: slot)
        }
      }
      return
    }
    connections[owner, direction].tcp.counters.lost += 1
    reportOwner(owner, .packetLost(direction, reason))
    if connections[owner].isClosed { freeIfUnused(owner) }
  }
}
