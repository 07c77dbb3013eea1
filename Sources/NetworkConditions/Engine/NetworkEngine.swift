import ClientCapture
import Internals
import struct Synchronization.Atomic
import URLLoading

/// Drives one network: guards its state with a lock, and carries out its effects.
///
/// ``EngineState`` decides everything. The engine carries the decisions out after it has released the lock. It tells
/// clients that there is output, and each client fetches its output on its own queue, in order.
final class NetworkEngine: Sendable {
  let stubs: StubTransport
  let timeSource: any TimeSource
  /// The simulation that owns the network's time, if there is one.
  let simulation: SimulationDriver?
  private let state: Mutex<EngineState>
  private let keepsContents = Atomic<Bool>(false)
  let lives = ClientLives()

  init(
    profile: NetworkProfile, seed: UInt64, stubs: StubTransport, configurationError: URLError?,
    timeSource: any TimeSource, replaying schedule: FaultSchedule? = nil
  ) {
    self.stubs = stubs
    self.timeSource = timeSource
    simulation = timeSource as? SimulationDriver
    state = Mutex(EngineState(seed: seed, profile: profile, replaying: schedule))
    state.withLock {
      $0.engine = WeakReference(self)
      $0.isSimulation = simulation != nil
      $0.configurationError = configurationError
    }
    lives.belong(to: self)
    timeSource.keepTime(of: self)
  }

  deinit {
    timeSource.stop()
  }

  var now: SimulatedInstant { timeSource.now ?? locked { $0.time } }

  /// Reads or changes the state under a leaf lock: never lock, run or release user code inside.
  func locked<Result: Sendable>(_ body: (inout EngineState) -> Result) -> Result {
    let (result, _) = state.withLock { state in
      Innermost.begin()
      defer { Innermost.end() }
      return (body(&state), state.takeRemoved())
    }
    return result
  }

  // MARK: For clients

  /// Starts an exchange; may notify the sink before it returns, unless it returns the first output itself.
  func begin(
    _ request: URLRequest, body: RequestBody, uploadSize: Int64?, settings: ExchangeSettings, sink: any ExchangeSink,
    takesAtOnce: Bool = false
  ) -> (id: Int, output: ExchangeOutput?) {
    guard simulation?.admitsRequest() ?? !refusesRun("A request") else { return (Self.unanswered, nil) }
    let now = timeSource.now
    let id = locked { state in
      if let now { state.run(until: now) }
      let id = state.begin(request, body: body, uploadSize: uploadSize, settings: settings, sink: sink)
      // With jumping time, the timeouts must be set at once: time must not jump past one that is not set yet.
      if now == nil { state.watchTimeouts(of: id) }
      return id
    }
    // With clock time, the timeouts can be set later: a canned answer over an unlimited network ends before they are
    // needed.
    return (id, pump(watching: id, takesAtOnce: takesAtOnce))
  }

  /// Whether the network follows the real clock, at its speed or by a factor.
  var isInRealTime: Bool { simulation == nil && timeSource.now != nil }

  /// Refuses the run of a captured client that calls this network, if it runs in real time.
  func refusesRun(_ call: String) -> Bool {
    guard let driver = SimulationDriver.ofThisThread, isInRealTime else { return false }
    return driver.refuse("\(call) in another network, which runs in real time", remedy: Self.useOwnNetwork)
  }

  static let useOwnNetwork = "Use the run's own network, or make this one with `SimulatedNetwork.immediate`."

  /// The exchange number of a request that the network did not accept.
  static let unanswered = -1

  func take(_ id: Int) -> ExchangeOutput {
    var (output, rest) = locked { state in
      let output = state.take(id)
      return (output, state.rest)
    }
    output.complete()
    restOrPump(rest)
    return output
  }

  func cancel(_ id: Int) {
    change { $0.cancel(id) }
  }

  func suspend(_ id: Int, _ isSuspended: Bool) {
    change { $0.suspend(id, isSuspended) }
  }

  /// Adds bytes that were read of a body; returns whether the exchange takes more.
  @discardableResult
  func extendUpload(of id: Int, by count: Int64, whole: RequestBody?) -> Bool {
    change { state in
      state.extendUpload(of: id, by: count, whole: whole)
      return state.wantsUpload(id)
    }
  }

  /// Runs `work` when an exchange is over, or at once if it is.
  func onEnd(of id: Int, _ work: @escaping @Sendable () -> Void) {
    let isOver = locked { state in
      guard state.exchanges[id] != nil else { return true }
      state.exchanges[id]?.cleanups.append(work)
      return false
    }
    if isOver { work() }
  }

  /// Fails an exchange whose body cannot be read, if it still needs that body.
  func fail(_ id: Int, with error: URLError) {
    change { if $0.wantsUpload(id) { $0.end(id, with: .failed(error)) } }
  }

  /// Applies a transport's change, if its exchange is still open on that hop.
  @discardableResult
  func answer<Result: Sendable>(
    _ id: Int, hop: Int, isInline: Bool, _ body: @Sendable (inout EngineState, Int) -> Result
  ) -> Result? {
    func apply(_ state: inout EngineState) -> Result? {
      guard state.isOpen(id, hop: hop) else { return nil }
      state.noteProgress()
      return body(&state, id)
    }
    return isInline ? locked { apply(&$0) } : change { apply(&$0) }
  }

  /// Adds a part of an answer: first buffers its bytes, then passes on the rest.
  func answer(_ id: Int, hop: Int, isInline: Bool, _ part: AnswerPart) {
    var part = part
    if !part.body.isEmpty {
      let fitted = locked { [part] in $0.isOpen(id, hop: hop) ? $0.fitted(part, for: id) : nil }
      if let fitted { part = fitted.part } else { part.body = [] }
      fitted?.body.append(part.body, flipping: fitted?.corrupted)
    }
    answer(id, hop: hop, isInline: isInline) { [part] in $0.give(part, of: $1) }
  }

  // MARK: For the network's owner

  /// Runs the network up to now, changes the state, and carries out the effects.
  func change<Result: Sendable>(_ body: (inout EngineState) -> Result) -> Result {
    let result = locked { state in
      if let now = timeSource.now { state.run(until: now) }
      return body(&state)
    }
    pump()
    return result
  }

  /// Whether the contents of transfers are recorded; lock-free, as each request of a session asks.
  var recordsContents: Bool { keepsContents.load(ordering: .relaxed) }

  func recordContents(_ mustRecord: Bool) {
    change { $0.details = mustRecord ? $0.details ?? RunDetails() : nil }
    keepsContents.store(mustRecord, ordering: .relaxed)
  }

  /// Reads the state, after running the network up to now.
  func look<Result: Sendable>(_ body: (inout EngineState) -> Result) -> Result {
    if timeSource.now != nil { pump() }
    return locked { body(&$0) }
  }

  /// Ends the network: open exchanges fail, sleepers wake as cancelled, and the clock stops.
  func invalidate(
    because reason: String = "The simulated network was invalidated: make a new one."
  ) {
    let (sleepers, listeners) = change { state in
      for exchange in state.exchanges.all {
        state.end(
          exchange.id,
          with: .failed(.refused(.endedNetwork, .cancelled, url: exchange.request.url, because: reason)))
      }
      state.configurationError = .refused(.endedNetwork, .cancelled, url: nil, because: reason)
      state.timeline.isOver = true
      return (state.takeSleepers(), state.timeline.listeners)
    }
    for sleeper in sleepers { sleeper.cancel() }
    for listener in listeners { tell(listener) }
    lives.end()
    timeSource.stop()
  }

  func add(_ listener: EventListener, first: (EngineState) -> Void = { _ in }) {
    let isLate = change { state in
      first(state)
      if !state.timeline.isOver { state.timeline.add(listener) }
      return state.timeline.isOver
    }
    if isLate { listener.end() }
  }

  func forget(_ listener: EventListener) {
    change { $0.timeline.remove(listener) }
  }

  func tell(_ listener: EventListener) {
    var isFirst = true
    while let news = locked({ $0.timeline.news(for: listener, isFirst: isFirst) }) {
      isFirst = false
      switch news {
      case .event(let event): listener.tell(event)
      case .end: listener.end()
      }
    }
  }

  // MARK: For the timeSource

  func jump() -> Bool {
    let hasJumped = locked { state in
      guard state.mayJump else { return false }
      state.jump()
      return true
    }
    if hasJumped { pump() }
    return hasJumped
  }

  func step(upTo limit: SimulatedInstant) -> NetworkStep {
    var effects: [Effect] = []
    let step = locked { state -> NetworkStep in
      if state.hasEffects {
        state.takeEffects(into: &effects)
        return .happened(timePassed: false)
      }
      if state.outside.realServers > 0 { return .outside }
      guard let next = state.nextTime, state.isAnyoneInterested(in: next) else { return .nothing }
      guard next <= limit else { return .limit }
      let before = state.time
      state.jump()
      state.takeEffects(into: &effects)
      return .happened(timePassed: state.time > before)
    }
    for effect in effects { perform(effect) }
    return step
  }

  func pass(to time: SimulatedInstant) {
    while locked({ $0.run(until: min(time, .endOfTime)) }) {}
    pump()
  }

  func call(at time: SimulatedInstant, _ work: @escaping @Sendable () -> Void) -> TimerTicket {
    let (call, rest) = locked { state in
      (state.add(.call(work), waitingUntil: time), state.rest)
    }
    restOrPump(rest)
    return call
  }

  /// Runs `work` at `time`, even while the app is suspended; it acts on the client, for example kills it.
  func strike(at time: SimulatedInstant, _ work: @escaping @Sendable () -> Void) {
    restOrPump(
      locked { state in
        _ = state.add(.strike(work), waitingUntil: time)
        return state.rest
      })
  }

  func cancel(_ call: TimerTicket) {
    // Release the work outside of the lock, because a release may run the user's code.
    _ = locked { state in
      let work = state.timers.remove(call)
      if work != nil { state.waiters.sleepers -= 1 }
      return work
    }
  }

  func giveUp(since progress: UInt64, after patience: Duration) {
    locked { if $0.progress.count == progress { $0.giveUp(after: patience) } }
    pump()
  }

  var openRequests: [String] {
    look { $0.snapshot() }.transfers.filter { $0.outcome == .running }
      .map { "\($0.method) \($0.shownURL) since \($0.started)" }
  }

  var mostEndsOfOneRequest: Int {
    let now = now
    return look { $0.snapshot() }.transfers.lazy.filter { transfer in
      switch transfer.outcome {
      case .failed, .cancelled: transfer.started == now
      case .running, .finished: false
      }
    }.map(\.occurrence).max() ?? 0
  }

  /// Lines for an error: the first open requests, the number of the others, and the number of sleepers.
  var everyoneWaiting: [String] {
    let open = openRequests
    let more = open.count > Self.mostNamed ? ["\(open.count - Self.mostNamed) more requests"] : []
    let (sleepers, next) = locked { ($0.waiters.sleepers, $0.timers.nextTime) }
    let asleep = sleepers == 0 ? [] : ["\(sleepers) asleep on its clock\(next.map { ", until \($0) or later" } ?? "")"]
    return Array(open.prefix(Self.mostNamed)) + more + asleep
  }

  private static let mostNamed = 5

  var isWaitingOutside: Bool { locked { $0.outside.realServers > 0 } }

  var hasSomethingToDo: Bool {
    locked { state in
      state.hasEffects || state.outside.realServers > 0
        || state.nextTime.map { state.isAnyoneInterested(in: $0) } ?? false
    }
  }
}
