import Foundation
import Internals

/// A simulation whose time the test advances step by step.
///
/// ```swift
/// let simulation = try SteppedSimulation("tunnel", seed: 42)
/// let load = simulation.run { network in try await client(network).load() }
/// try await simulation.advance(by: .seconds(3))
/// simulation.network.goOffline()
/// try await simulation.advance(until: .event { $0.kind == .timedOut })
/// let value = try await load.value()
/// ```
///
/// Between two steps nothing runs, so a test may read and change everything. To delay one answer instead of time, hold
/// its route (``StubRoute/hold()``, ``StubRoute/release()``).
public final class SteppedSimulation: Sendable {
  /// How far a step advances time.
  public struct Goal: Sendable {
    enum Kind: Sendable {
      case event(@Sendable (NetworkEvent) -> Bool)
      case instant(SimulatedInstant)
      case rest
    }
    let kind: Kind

    /// Advance until an event happens, and everything that can run at that instant has run.
    public static func event(where isWanted: @escaping @Sendable (NetworkEvent) -> Bool) -> Goal {
      Goal(kind: .event(isWanted))
    }

    /// Advance until this time in the network.
    public static func instant(_ time: SimulatedInstant) -> Goal { Goal(kind: .instant(time)) }

    /// Advance until nothing more can happen.
    public static var rest: Goal { Goal(kind: .rest) }
  }

  /// A closure that runs in a stepped simulation.
  public final class Job<Value: Sendable>: Sendable {
    private let simulation: SteppedSimulation
    private let outcome = Locked<Result<Value, any Error>?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)

    fileprivate init(
      _ simulation: SteppedSimulation, _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
    ) {
      self.simulation = simulation
      // A closure that never ends retains neither the job nor the simulation, because the simulation's release must end
      // it.
      let task = Task(executorPreference: simulation.driver) { [outcome, network = simulation.network] in
        let result = await SimulationContext.result(of: body, in: network)
        outcome.withLock { $0 = result }
      }
      self.task.withLock { $0 = task }
    }

    /// The closure's result; `nil` while it runs.
    public var result: Result<Value, any Error>? { outcome.value }

    /// Advances time until the closure ends; returns its value or throws its error.
    public func value() async throws -> Value {
      // Also after the simulation's end.
      if let result { return try result.get() }
      let pause = try await simulation.drive(upTo: .distantFuture) { [self] in result != nil }
      guard let result else {
        throw SimulationError.deadlock(
          at: simulation.network.now, waiting: pause == .done ? [] : simulation.network.engine.openRequests)
      }
      return try result.get()
    }

    /// Cancels the closure's task, which notices it at the next step.
    public func cancel() {
      task.withLock { $0 }?.cancel()
    }
  }

  /// The network, whose clock shows the simulation's time.
  public let network: SimulatedNetwork
  fileprivate let driver: SimulationDriver
  private let steps: StepRunner
  private let repetition: @Sendable () -> String

  /// Creates a simulation under a profile.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, a file, or a profile.
  ///   - seed: decides all chance.
  ///   - transport: answers the requests that no stub answers.
  ///   - capture: what to capture of the client; by default everything, if the process allows it.
  ///   - options: the patience and limits of each step, and the settings of the path's ends.
  /// - Throws: an error with similar names, if no profile has the given name.
  public init<Source: ProfileSource>(
    _ profile: Source, seed: UInt64 = 0, transport: (any Transport)? = nil,
    capturing capture: CaptureMode = .everything, options: NetworkOptions = NetworkOptions()
  ) throws(Source.ProfileFailure) {
    let profile = try profile.networkProfile(under: options)
    repetition = {
      "\(CrashReporter(profile, seed: seed).text)\nTo repeat it: NETCOND_REPLAY=\(ReplayToken(profile, seed: seed))"
    }
    let sessions = SimulatedSessions()
    driver = SimulationDriver(
      options: options, capture: capture, seed: seed, sessions: sessions,
      crashReport: CrashReporter(profile, seed: seed))
    network = SimulatedNetwork(
      profile, seed: seed, pace: .immediate, transport: transport, options: options, simulation: (driver, sessions))
    steps = StepRunner(driver, network)
  }

  deinit {
    end()
  }

  /// Starts a closure; it begins to run with the next step.
  public func run<Value: Sendable>(
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) -> Job<Value> {
    Job(self, body)
  }

  /// Advances virtual time by `duration`.
  public func advance(by duration: Duration) async throws(SimulationError) {
    try await advance(until: .instant(network.now.advanced(by: max(.zero, duration))))
  }

  /// Advances time until a goal is reached; earlier events do not count.
  ///
  /// - Returns: the event, if the goal was one.
  /// - Throws: ``SimulationError/deadlock(at:waiting:blocked:)`` if the event cannot happen any more.
  @discardableResult
  public func advance(until goal: Goal) async throws(SimulationError) -> NetworkEvent? {
    switch goal.kind {
    case .instant(let time):
      _ = try await drive(upTo: time, goesToLimit: true) { false }
      return nil
    case .rest:
      _ = try await drive(upTo: .distantFuture, waitsForStrangers: false) { false }
      return nil
    case .event(let isWanted):
      let found = Locked<NetworkEvent?>(nil)
      let listener = EventListener { event in if isWanted(event) { found.withLock { $0 = $0 ?? event } } }
      network.engine.add(listener)
      defer { network.engine.forget(listener) }
      _ = try await drive(upTo: .distantFuture) { found.value != nil }
      guard let event = found.value else {
        throw SimulationError.deadlock(at: network.now, waiting: network.engine.openRequests)
      }
      return event
    }
  }

  /// Ends the simulation: requests fail, and sleepers wake as cancelled.
  public func end() {
    if driver.isRefused { steps.abandon() } else { steps.end() }
  }

  fileprivate func drive(
    upTo limit: SimulatedInstant, goesToLimit: Bool = false, waitsForStrangers: Bool = true,
    until isDone: @escaping @Sendable () -> Bool
  ) async throws(SimulationError) -> SimulationDriver.Pause {
    if SimulationContext.isInside { throw SimulationError.nested }
    driver.noteCaller()
    let beginning = network.now
    let end = await withCheckedContinuation { done in
      let step = StepRunner.Step(
        limit: limit, goesToLimit: goesToLimit, waitsForStrangers: waitsForStrangers, beginning: beginning,
        isDone: isDone
      ) { done.resume(returning: $0) }
      if let problem = steps.begin(step) { done.resume(returning: .failure(problem)) }
    }
    let pause = try end.get()
    if case .unending(let limit) = pause {
      throw .unending(limit: limit, at: network.now, waiting: network.engine.everyoneWaiting, run: repetition())
    }
    return pause
  }
}
