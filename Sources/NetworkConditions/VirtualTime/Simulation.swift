/// A run of client code in virtual time: a minute takes a millisecond, and runs of the same seed are equal.
///
/// ```swift
/// let run = try await Simulation("tunnel", seed: 42) { network in
///   network.stub("/feed", with: .json(feed))
///   return try await FeedClient(session: network.session, clock: network.clock).refresh()
/// }
/// #expect(run.elapsed < .seconds(20))
/// ```
///
/// The closure and all child tasks run on one thread of the simulation. When nothing can run, time jumps to the
/// network's next event or to the end of the next sleep on its clock.
///
/// Without capture, the system's clocks keep real time for the client. If the client uses them, or calls the network
/// from another thread, and the simulation notices it, the run ends with
/// ``SimulationError/notCaptured(call:place:remedy:)``. That error is printed first, and no more of the client's code
/// is called. The closure sees the caller's task-local values.
public struct Simulation<Value: Sendable>: Sendable {
  /// The closure's result.
  public let value: Value
  /// The virtual time that passed until the closure returned.
  public let elapsed: Duration
  /// The network's events and transfers.
  public let timeline: Timeline
  /// The faults of a replayed schedule that did not happen, for example because their request was not sent.
  public let unusedFaults: [ScheduledFault]
  /// The reason why the client was not captured as asked; `nil` if it was, and with ``CaptureMode/nothing``.
  public let captureObstacle: String?
  /// A hash of ``timeline``; equal runs have equal hashes.
  public var traceHash: TraceHash { timeline.traceHash }

  /// Runs a closure in a network with a profile.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, such as `"3G"` or `"tunnel@portal"`, a file, or a profile.
  ///   - seed: decides all chance.
  ///   - transport: answers the requests that no stub answers; a real server's answers take only the link's virtual
  ///     time.
  ///   - capture: what to capture of the client.
  ///   - options: the simulation's patience and limits, and the settings of the path's ends.
  ///   - body: the client's code; its network ends with it.
  /// - Throws: ``SimulationFailure`` with the closure's error; ``SimulationError`` if the run could not go on.
  public init(
    _ profile: some ProfileSource, seed: UInt64 = 0, transport: (any Transport)? = nil,
    capturing capture: CaptureMode = .everything, options: NetworkOptions = NetworkOptions(),
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) async throws {
    let known: NetworkProfile
    do {
      known = try profile.networkProfile(under: options)
    } catch {
      throw SimulationError.profile("\(error)")
    }
    try self.init(
      try await EndedRun(
        known, seed: seed, transport: transport, capturing: capture, options: options, body))
  }

  /// Repeats the run of a replay token, or runs a closure with the faults of a schedule and no others.
  ///
  /// ``unusedFaults`` lists the faults of a schedule that never happened, because the closure made no such request.
  ///
  /// - Throws: ``ReplayTokenError`` if a token is damaged or stale; ``SimulationFailure`` and ``SimulationError`` like
  ///   any run.
  public init(
    replaying run: some ReplaySource, transport: (any Transport)? = nil, capturing capture: CaptureMode = .everything,
    options: NetworkOptions = NetworkOptions(), _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) async throws {
    let (profile, seed, faults) = try run.replayToken().inputs
    try self.init(
      try await EndedRun(
        profile, seed: seed, transport: transport, capturing: capture, options: options, faults: faults, body))
  }

  private init(_ run: EndedRun<Value>) throws {
    switch run.result {
    case .success(let value): self.value = value
    case .failure(let error):
      guard run.hasReturned else { throw error }
      throw SimulationFailure(
        error: error, seed: run.timeline.seed, profile: run.profile, time: run.timeline.time,
        timeline: run.timeline, unusedFaults: run.unusedFaults, captureObstacle: run.obstacle)
    }
    elapsed = SimulatedInstant.zero.duration(to: run.timeline.time)
    timeline = run.timeline
    unusedFaults = run.unusedFaults
    captureObstacle = run.obstacle
  }

  /// Runs a closure several times with one seed, and checks that all runs are equal.
  ///
  /// - Returns: the first run.
  /// - Throws: ``SimulationError/nondeterministic(seed:run:firstDifference:)`` with the first difference, or a run's
  ///   error. A closure that fails must fail in the same way, at the same time, in every run; its failure is then
  ///   thrown.
  @discardableResult
  public static func verifyDeterminism(
    _ profile: some ProfileSource, seed: UInt64 = 0, runs: Int = 3, transport: (any Transport)? = nil,
    capturing capture: CaptureMode = .everything, options: NetworkOptions = NetworkOptions(),
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) async throws -> Simulation {
    var first: (result: Result<Simulation, SimulationFailure>, trace: [String])?
    for run in 1...max(1, runs) {
      let result: Result<Simulation, SimulationFailure>
      do {
        result = .success(
          try await Simulation(profile, seed: seed, transport: transport, capturing: capture, options: options, body))
      } catch let failure as SimulationFailure {
        result = .failure(failure)
      }
      let trace = Self.trace(of: result)
      guard let first else {
        first = (result, trace)
        continue
      }
      if let difference = first.trace.firstDifference(from: trace) {
        throw SimulationError.nondeterministic(seed: seed, run: run, firstDifference: difference)
      }
    }
    guard let first else { preconditionFailure("there must be at least one run") }
    return try first.result.get()
  }

  private static func trace(of result: Result<Simulation, SimulationFailure>) -> [String] {
    switch result {
    case .success(let run): run.timeline.events.map(\.description) + ["returned after \(run.elapsed)"]
    case .failure(let failure):
      failure.timeline.events.map(\.description)
        + ["threw \(failure.timeline.redaction.text(ErrorMeaning.text(of: failure.error))) after \(failure.time)"]
    }
  }
}

extension [String] {
  /// The first difference between two traces, in words; `nil` if they are equal.
  package func firstDifference(from other: [String]) -> String? {
    for index in 0..<Swift.max(count, other.count) {
      let (left, right) = (
        index < count ? self[index] : "nothing more", index < other.count ? other[index] : "nothing more"
      )
      if left != right { return "event \(index): \"\(left)\" against \"\(right)\"" }
    }
    return nil
  }
}
