/// When does each byte arrive? A whole path: two links, the connections over them, and the requests on those.
///
/// A value that reads no clock. Work goes in at a time; ``nextEventTime`` says when the path wants to run;
/// ``advance(to:)`` runs it and ``drainEvents(_:)`` hands over what happened. All requests of a path share its two links.
///
/// Work handed in at one instant is ordered by the requests' keys, not by the order of the calls, so that the timing of
/// threads cannot shift it.
public struct PathSimulator: Sendable {
  /// The time up to which the path has run.
  public var now: SimulatedInstant { SimulatedInstant(nanoseconds: time) }

  /// When the path wants to run next; `nil` when nothing will happen by itself.
  public var nextEventTime: SimulatedInstant? {
    if !commands.isEmpty { return now }
    let next = nextTime
    return next == .max ? nil : SimulatedInstant(nanoseconds: max(next, time))
  }

  let seed: KeyedRandom
  let configuration: PathConfiguration
  let chance: PacketChance
  let clock: TickClock
  private(set) var time: Int64
  /// The two links.
  var wires: [Wire]
  private var timers = MinimumHeap()
  var events: [PathEvent] = []

  private(set) var phase: PhaseCursor

  var commands: [Command] = []
  /// Connections with frames to send at the end of the step.
  var unsent: [Int32] = []
  var streams = StreamTable()
  var connections = ConnectionTable()
  var resolver = Resolver()
  /// What holds requests back, in each direction.
  var throttles = [Throttle(), Throttle()]
  /// What limits UDP, in each direction.
  var policers = [Policer(), Policer()]
  /// Whether any request has a priority that its server heeds.
  private(set) var hasPriorities = false
  /// Whether a middlebox may forget any connection.
  var forgetsConnections = false
  /// The connections whose packets are recorded, in the order of their numbers in the log; `nil` where none are.
  var loggedConnections: [PacketLog.Connection]?

  /// Creates a path.
  ///
  /// - Parameters:
  ///   - seed: decides everything that is left to chance.
  ///   - schedule: what the network does over time.
  ///   - configuration: how hosts behave.
  ///   - chance: what decides what the links do to single packets.
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

  /// Runs everything that is due up to and including `time`; times before ``now`` do nothing.
  ///
  /// With ``SimulatedInstant/distantFuture`` it runs until nothing is left to happen, and stays at the last event.
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

  /// Whether something has happened that ``drainEvents(_:)`` has not handed over yet.
  public var hasEvents: Bool { !events.isEmpty }

  /// When it has something to hand over, or wants to run next; mutating, so that it is not copied for the look.
  public mutating func nextTurn() -> SimulatedInstant? {
    if !events.isEmpty || !commands.isEmpty { return SimulatedInstant(nanoseconds: time) }
    let next = nextTime
    return next == .max ? nil : SimulatedInstant(nanoseconds: max(next, time))
  }

  /// Hands over what happened since the last call, oldest first, and forgets it.
  public mutating func drainEvents(_ body: (PathEvent) -> Void) {
    for event in events { body(event) }
    events.removeAll(keepingCapacity: true)
  }

  /// Whether the conditions that hold now do nothing to a packet.
  public var isUnlimited: Bool {
    phase.conditions.up == .unlimited && phase.conditions.down == .unlimited && phase.conditions.outage == nil
  }

  /// How many bytes of a request that were handed in have not been sent for the first time: what waits for TCP to take it.
  public func unsent(_ direction: Direction, on stream: StreamID) -> Int64 {
    guard let slot = streams.slot(of: stream), streams[slot].state != .ended else { return 0 }
    let ready = streams[slot, direction].waiting
    guard streams[slot].state == .active else { return ready }
    return ready + connections.unsent(streams[slot].connection, direction)
  }

  /// How many more bytes TCP should be handed, so that it finds them whenever its windows open.
  ///
  /// Who hands in no more than that, and more as soon as the stream is ``PathEvent/Kind/wanting(_:)``, has the packets that he
  /// would have if all bytes were there from the beginning.
  public func room(_ direction: Direction, on stream: StreamID) -> Int64 {
    guard let slot = streams.slot(of: stream), streams[slot].state != .ended else { return 0 }
    let ready = streams[slot, direction].waiting
    guard streams[slot].state == .active else { return max(0, Self.roomBefore - ready) }
    return max(0, connections[streams[slot].connection, direction].room - ready)
  }

  /// How many bytes a sender may hand in before its connection stands: the first offer of a receiver.
  private static let roomBefore = ReceiveWindow.initial

  /// Starts a request now, and says by which number its events go.
  public mutating func open(_ request: StreamRequest) -> StreamID {
    if request.priority != nil, configuration.scheduling == .fair { hasPriorities = true }
    let slot = streams.add(request, pool: pool(for: request))
    let id = streams[slot].id
    commands.append(Command(key: request.key, slot: slot, number: id.number, kind: .open))
    return id
  }

  /// Makes `count` more bytes ready to be sent, now; `finishing` says that no more will follow in this direction.
  ///
  /// `up` is the client's request (head first, then body), `down` the server's response. Bytes of a response that
  /// are ready before the request was read in full wait for nothing: a server may answer early, and the request is over
  /// once both are whole, or its client has stopped (``stopUpload(of:)``).
  ///
  /// `connection` counts for HTTP/1.1 alone: HTTP/2 keeps its connections.
  public mutating func write(
    _ count: Int64, _ direction: Direction, on stream: StreamID, finishing: Bool,
    connection: StreamRequest.Persistence = .kept
  ) {
    command(.write(max(0, count), direction, isLast: finishing, connection), stream)
  }

  /// The client sends no more of a request than is on its way, and the request is over once its response has come.
  ///
  /// HTTP/1.1 then closes the connection, HTTP/2 resets the stream.
  public mutating func stopUpload(of stream: StreamID) {
    command(.stop, stream)
  }

  /// Adds what goes wrong with the response to a request of which nothing has been written yet.
  public mutating func add(_ faults: [StreamFault], to stream: StreamID) {
    guard !faults.isEmpty, let slot = streams.slot(of: stream) else { return }
    if streams[slot].plan == nil {
      streams[slot].plan = StreamFaults(faults)
    } else {
      streams[slot].plan?.add(faults)
    }
    if let limit = streams.faults(slot)?.natLimit { forget(streams[slot].connection, after: limit) }
  }

  /// The client gives a request up: nothing more is reported of it, HTTP/1.1 closes its connection, HTTP/2 resets
  /// the stream.
  public mutating func cancel(_ stream: StreamID) {
    command(.cancel, stream)
  }

  /// The server aborts a request now: the client sees a reset once it arrives, in HTTP/2 of this request alone.
  public mutating func abort(_ stream: StreamID) {
    command(.abort, stream)
  }

  /// Replaces what the network does, from now on; bytes already queued feel the new rate.
  public mutating func use(_ schedule: ConditionSchedule) {
    enter(schedule)
  }

  /// Returns the cost of a request so far; after its end, until ``forget(_:)``.
  ///
  /// Requests that share a connection divide its packets: each counts for the request that was served last.
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

  /// Frees what is kept of a request that has ended.
  public mutating func forget(_ stream: StreamID) {
    guard let slot = streams.slot(of: stream) else { return }
    if streams[slot].state == .ended {
      streams.remove(slot)
    } else {
      streams[slot].isForgotten = true
    }
  }
}

extension PathSimulator {
  /// When something happens next; `.max` when nothing does.
  @inline(__always)
  private var nextTime: Int64 {
    min(min(wires[.up].link.nextTime, wires[.down].link.nextTime), min(timers.firstTime, phase.end))
  }

  /// Does one thing that is due at `next`: a phase first, then the up link, the down link, a timer.
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

  /// Takes what a link has to say.
  @inline(__always)
  private mutating func takeNext(_ direction: Direction) {
    if loggedConnections != nil { logLoss(direction) }
    switch wires[direction.index].link.next() {
    case .arrival(let position):
      arrived(wires[direction.index].link.packet(at: position), direction)
    case .loss(let owner, let kind, let reason): lost(owner, kind, direction, reason)
    }
  }

  /// Tells the requests what has happened to their packets.
  @inline(__always)
  mutating func passNotices() {
    if !wires[.up].notices.isEmpty { passNotices(.up) }
    if !wires[.down].notices.isEmpty { passNotices(.down) }
  }

  mutating func arm(_ kind: TimerKind, _ index: Int32, at time: Int64) {
    if time < .max { timers.insert(time: time, value: Int(index) << 4 | kind.rawValue) }
  }

  /// Reports that something has happened to a request, or to the path.
  @inline(__always)
  mutating func report(_ kind: PathEvent.Kind, stream slot: Int32?) {
    let id = slot.map { streams[$0].id }
    events.append(PathEvent(time: now, stream: id, kind: kind))
  }

  /// Takes over the conditions that hold now.
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

  /// Tells the requests what has happened to their packets.
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
