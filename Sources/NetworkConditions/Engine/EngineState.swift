import Internals
import URLLoading

/// The complete state of a network and its behaviour over time, without a thread, a lock or a clock.
///
/// Work is handed in with a time. Calls to the outside are returned as effects, to be run after the lock is released.
struct EngineState {
  /// A server's activity: it decides whether time may jump in a network that never waits (``Pace/immediate``).
  enum ServerWork {
    /// The server works on the answer: time must stand still.
    case working
    /// The server waits for the network's own time, or for its turn.
    case waiting
    /// Something real works on the answer, such as a remote server: time must stand still at any pace.
    case outside
    case done
  }

  var time = SimulatedInstant.zero
  var paths: PathTable
  var identities = RequestIdentities()
  var alternatives = AlternativeServices()
  /// The header compression of each server's HTTP/2 connections.
  var compressions: [PathOrigin: HeaderCompression] = [:]
  var cache = SharedCache()
  var exchanges = ExchangeTable()
  var timers = TimerQueue<TimedWork>()
  var timeline = TimelineRecorder()
  var effects = EffectList()
  /// Ended exchanges, released only after the lock, because their release may run a user's code.
  private var removed: (first: Exchange?, others: [Exchange]) = (nil, [])
  var outside = OutsideWork()
  var waiters = Waiters()
  private(set) var progress = EngineProgress()
  /// The network state that the device's system reports; `nil` until the first phase.
  var networkPath: NetworkPath?
  var suspension = AppSuspension()
  /// The network's own error, with which every exchange fails.
  var configurationError: URLError?
  /// The details of the run; `nil` if they are not recorded.
  var details: RunDetails?
  var engine: WeakReference<NetworkEngine>?
  /// Whether the network belongs to a simulation, whose dates begin on 1 January 2026.
  var isSimulation = false
  /// The URLs to which faults have redirected requests; the client's test need not stub them.
  var redirectTargets: Set<String> = []

  init(seed: UInt64, profile: NetworkProfile, replaying schedule: FaultSchedule? = nil) {
    self.paths = PathTable(seed: seed, profile: profile, replaying: schedule)
    drain(0)
  }

  // MARK: Time

  // Getters that run for each event are mutating: otherwise a debug build copies the whole state.

  /// When the network must run next; `nil` if no event is due or no client waits for one.
  var nextTime: SimulatedInstant? {
    mutating get { isAnyoneWaiting || timeline.hasListeners ? earliest : nil }
  }

  /// Whether a client or a sleeper waits for time to pass; a suspended client does not.
  var isAnyoneWaiting: Bool { mutating get { waiters.isAnyone(of: exchanges.count) } }

  /// Whether time may jump, because nothing outside has work to do first.
  var mayJump: Bool { mutating get { outside.isNone && !hasEffects && isAnyoneWaiting } }

  /// The state that an idle network reports to its time source; `nil` while effects still have to run.
  var rest: NetworkRest? {
    mutating get {
      hasEffects ? nil : NetworkRest(next: nextTime, mayJump: mayJump, progress: isAnyoneWaiting ? progress.count : nil)
    }
  }

  /// Whether a client or a listener would notice an event at this time.
  mutating func isAnyoneInterested(in next: SimulatedInstant) -> Bool {
    waiters.areInterested(in: next, of: exchanges.count, at: time)
  }

  /// When the next event is due, whether or not anyone waits for it.
  var earliest: SimulatedInstant? {
    mutating get {
      let path = paths.nextTime
      if waiters.horizons > 0, timers.count == waiters.horizons, path == nil { return nil }
      let next = min(timers.nextTime ?? .distantFuture, path ?? .distantFuture)
      return next < .endOfTime ? next : nil
    }
  }

  /// The most steps under one lock, since other threads of the client wait for it meanwhile.
  private static let slice = 1_000

  /// Runs the events up to `limit`, but stops if a transport must be asked first; returns whether it stopped because
  /// it has run a slice.
  @discardableResult
  mutating func run(until limit: SimulatedInstant) -> Bool {
    var steps = Self.slice
    while !effects.holdsTime, let next = earliest, next <= limit {
      if steps == 0 { return true }
      steps -= 1
      time = max(time, next)
      for index in 0..<paths.entries.count where paths.entries[index].isDue(at: next) {
        paths.advance(index, to: next)
        drain(index)
      }
      while let work = timers.popDue(at: next) { perform(work) }
    }
    if !effects.holdsTime { time = max(time, limit) }
    return false
  }

  /// Runs the next event, whenever it is due; only for a network that never waits.
  mutating func jump() {
    guard let next = earliest else { return }
    run(until: max(time, next))
  }

  private mutating func drain(_ path: Int) {
    var events = paths.takeEvents(of: path)
    for event in events { handle(event, on: path) }
    paths.giveBack(&events)
  }

  mutating func perform(_ work: TimedWork) {
    if suspension.holds(work) { return }
    switch work {
    case .resumeApp: resumeApp()
    case .timeouts(let id): checkTimeouts(of: id)
    case .depart(let id):
      if let exchange = exchanges[id] { depart(exchange) }
    case .reply(let reply, let work):
      // A server that has sent the end of its answer never stops time again.
      if let exchange = exchanges[reply.exchange], exchange.server.end == nil { setServerWork(.working, of: exchange) }
      effects.append(.resume(reply, work))
    case .wake(let sleeper): wake(by: .wake(sleeper))
    case .wakeAtHorizon(let sleeper):
      waiters.horizons -= 1
      effects.append(.wake(sleeper))
    case .call(let work), .strike(let work): wake(by: .call(work))
    }
  }

  /// Schedules a sleeper's wake-up or a call.
  mutating func add(_ work: TimedWork, waitingUntil end: SimulatedInstant) -> TimerQueue<TimedWork>.Ticket {
    waiters.sleepers += 1
    details?.noteWait(time.duration(to: max(end, time)))
    return timers.add(work, at: max(end, time))
  }

  private mutating func wake(by effect: Effect) {
    waiters.sleepers -= 1
    details?.wakes.append(time)
    effects.append(effect)
  }

  // MARK: Effects

  var hasEffects: Bool { mutating get { !effects.isEmpty || timeline.hasNews } }

  /// Moves the effects into an empty list; run them after the lock is released.
  mutating func takeEffects(into list: inout [Effect]) {
    if !effects.isEmpty { noteProgress() }
    effects.takeAll(into: &list)
    guard timeline.hasNews else { return }
    timeline.hasNews = false
    list.insert(.announce(timeline.listeners), at: 0)
  }

  /// Notifies the client of an exchange, if there is output and no earlier notice is pending.
  mutating func tell(_ id: Int) {
    guard !suspension.isActive, let exchange = exchanges[id], exchange.hasOutput, case .none = exchange.notice else {
      return
    }
    exchange.notice = .told
    outside.toldClients += 1
    effects.append(.tell(exchange.sink, id))
  }

  /// Returns the output that the client of an exchange may see; removes the exchange at its end.
  mutating func take(_ id: Int) -> ExchangeOutput {
    guard let exchange = exchanges[id] else { return ExchangeOutput() }
    noteProgress()
    stopAwaitingSink(of: exchange)
    let output = exchange.takeOutput()
    makeRoom(for: exchange)
    if output.end != nil { remove(id) }
    return output
  }

  func isOpen(_ id: Int, hop: Int) -> Bool {
    exchanges[id].map { $0.hop == hop && !$0.hasEnded } ?? false
  }

  mutating func stopAwaitingSink(of exchange: Exchange) {
    guard exchange.notice == .told else { return }
    outside.toldClients -= 1
    exchange.notice = .givenUp
  }

  mutating func remove(_ id: Int) {
    guard let exchange = exchanges.remove(id) else { return }
    if exchange.limits.suspended != nil { waiters.suspended -= 1 }
    for work in exchange.cleanups { effects.append(.run(work)) }
    if removed.first == nil { removed.first = exchange } else { removed.others.append(exchange) }
  }

  /// Returns the ended exchanges; release them without holding a lock.
  mutating func takeRemoved() -> (first: Exchange?, others: [Exchange]) {
    if removed.first == nil { return (nil, []) }
    defer { removed = (nil, []) }
    return removed
  }

  mutating func setServerWork(_ work: ServerWork, of exchange: Exchange) {
    outside.change(exchange.server.work, to: work)
    exchange.server.work = work
  }

  mutating func setServerWork(_ work: ServerWork, of id: Int) {
    if let exchange = exchanges[id] { setServerWork(work, of: exchange) }
  }

  /// Schedules work for an exchange, unless its present hop ends before.
  mutating func add(_ work: TimedWork, for exchange: Exchange, at time: SimulatedInstant) {
    // Before the list grows, drop timers that have fired.
    if exchange.timers.count == exchange.timers.capacity { exchange.timers.removeAll { !timers.isWaiting($0) } }
    exchange.timers.append(timers.add(work, at: time))
  }

  /// Removes the timers of an exchange's present hop, and releases their closures in an effect.
  mutating func removeTimers(of exchange: Exchange) {
    let left = exchange.timers.compactMap { timer -> (@Sendable () -> Void)? in
      guard case .reply(_, let work) = timers.remove(timer) else { return nil }
      return work
    }
    exchange.timers = []
    if !left.isEmpty { effects.append(.discard(left)) }
  }

  mutating func takeSleepers() -> [Sleeper] {
    for work in suspension.end() { _ = timers.add(work, at: time) }
    let all = timers.removeAll { if case .wake(let sleeper) = $0 { sleeper } else { nil } }
    waiters.sleepers -= all.count
    let horizons = timers.removeAll { if case .wakeAtHorizon(let sleeper) = $0 { sleeper } else { nil } }
    waiters.horizons -= horizons.count
    return all + horizons
  }

  mutating func noteProgress() {
    progress.count += 1
    progress.last = time
  }

  mutating func snapshot() -> Timeline {
    let running = exchanges.all.filter { $0.transfer.outcome == .running }
    for exchange in running {
      if let stream = exchange.stream { exchange.transfer.wire = paths.statistics(of: stream, on: exchange.path) }
    }
    return Timeline(
      timeline, running: running.map(\.transfer), over: &paths, at: time, redaction: identities.redaction,
      details: details ?? RunDetails())
  }

  mutating func record(_ kind: NetworkEvent.Kind, of exchange: Exchange) {
    timeline.record(kind, at: time, transfer: exchange.transfer.number)
  }
}
