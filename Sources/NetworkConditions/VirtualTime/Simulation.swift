/// A run of client code in virtual time: a minute in the tunnel takes a millisecond, and every run of a seed is the same.
///
/// ```swift
/// let run = try await Simulation("tunnel", seed: 42) { network in
///   network.stub("/feed", with: .json(feed))
///   return try await FeedClient(session: network.session, clock: network.clock).refresh()
/// }
/// #expect(run.elapsed < .seconds(20))
/// ```
///
/// The closure and all child tasks run on one thread of the simulation's. Time goes on only when nothing can run: then it
/// jumps to the next event of the network or the end of the next sleep on the network's clock. Unless the client is
/// captured, the system's clocks keep real time for it. A client that goes by them, or calls the network from a thread
/// that the simulation does not drive, ends the run with ``SimulationError/notCaptured(call:place:remedy:)`` wherever
/// that is seen; that is printed first, and nothing of the client is called again. The closure sees the caller's task-local
/// values.
public struct Simulation<Value: Sendable>: Sendable {
  /// The closure's result.
  public let value: Value
  /// How much virtual time passed until it returned.
  public let elapsed: Duration
  /// Everything that happened.
  public let timeline: Timeline
  /// The faults of a replayed schedule that never happened: empty unless the schedule missed.
  public let unusedFaults: [ScheduledFault]
  /// Why the client was not captured, although it was to be; `nil` where it was, and with ``CaptureMode/nothing``.
  public let captureObstacle: String?
  /// A fingerprint of ``timeline``: equal runs have equal ones.
  public var traceHash: TraceHash { timeline.traceHash }

  /// Runs a closure under a profile.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, such as `"3G"` or `"tunnel@portal"`, a file, or a profile.
  ///   - seed: decides everything that is left to chance.
  ///   - transport: who answers what no stub does; a real server's answers take no virtual time but that of the link.
  ///   - capture: what of the client's waiting is taken over beside the network and its clock.
  ///   - options: how the two ends of the path behave, and how long it is patient; after its patience the run is given up.
  ///   - body: what to run; the network is its to use, and ends with it.
  /// - Throws: ``SimulationFailure`` with what the closure threw; ``SimulationError`` where the run could not go on.
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
      try await SimulationCourse(
        known, seed: seed, transport: transport, capturing: capture, options: options, body))
  }

  /// Runs a closure once more as a replay token says, or in a network in which the faults of a schedule happen, and no
  /// others.
  ///
  /// The faults of a schedule that never happened, because the closure made no such request, are in ``unusedFaults``.
  ///
  /// - Throws: ``ReplayTokenError`` where a token is damaged or stale; ``SimulationFailure`` and ``SimulationError`` as any
  ///   run.
  public init(
    replaying run: some ReplaySource, transport: (any Transport)? = nil, capturing capture: CaptureMode = .everything,
    options: NetworkOptions = NetworkOptions(), _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) async throws {
    let (profile, seed, faults) = try run.replayToken().course
    try self.init(
      try await SimulationCourse(
        profile, seed: seed, transport: transport, capturing: capture, options: options, faults: faults, body))
  }

  private init(_ course: SimulationCourse<Value>) throws {
    switch course.result {
    case .success(let value): self.value = value
    case .failure(let error):
      guard course.hasReturned else { throw error }
      throw SimulationFailure(
        error: error, seed: course.timeline.seed, profile: course.profile, time: course.timeline.time,
        timeline: course.timeline, unusedFaults: course.unusedFaults, captureObstacle: course.obstacle)
    }
    elapsed = SimulatedInstant.zero.duration(to: course.timeline.time)
    timeline = course.timeline
    unusedFaults = course.unusedFaults
    captureObstacle = course.obstacle
  }

  /// Runs a closure several times with one seed, and makes sure that all runs are equal.
  ///
  /// - Returns: the first run.
  /// - Throws: ``SimulationError/nondeterministic(seed:run:firstDifference:)`` with the first event that differs, and what
  ///   a run throws. A closure that fails must fail in the same way at the same time in each run; then its failure is thrown.
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
    guard let first else { preconditionFailure("there is at least one run") }
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
  /// The first place in which two traces differ, in words; `nil` where they are the same.
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
