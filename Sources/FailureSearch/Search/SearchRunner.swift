import Internals
import NetworkConditions
import URLLoading

/// Makes the runs of a search or an exploration, which share a client, its network and their limits.
struct SearchRunner: Sendable {
  let profiles: [NetworkProfile]
  var prepare: @Sendable (SimulatedNetwork) async throws -> Void
  let body: @Sendable (SimulatedNetwork) async throws -> Void
  let transport: (any Transport)?
  /// The real time limit of a run in a worker process, if shorter than the process's own limit.
  var timeLimit: Duration?
  let capture: CaptureMode
  var options: NetworkOptions
  var clients: Int
  let startsAnywhere: Bool
  var known: KnownFailures.Prepared?
  /// The seed from which a schedule was recorded, if it was.
  var origin: UInt64?
  /// The virtual time after which a client that has not ended fails; `nil` is never.
  var horizon: Duration?
  /// Whether contents and packets are recorded, which listing a run's points requires.
  var isListed = false
  var name: String?
  var isSearch = true
  /// The worker processes that make the runs; `nil` is this process.
  var pool: WorkerPool?
  /// Whether a run without further events waits for a call from outside in full, however many deadlocks there were.
  var waitsForOutside = false
  /// How many runs ended in a deadlock, and whether a call from outside moved any run on; all copies of the runner share
  /// this.
  private let seen = Locked((deadlocks: 0, callFromOutside: false))
  /// After this many deadlocks, later runs hardly wait for a call from outside, unless one moved a run on.
  ///
  /// Thousands of deadlocks may follow. Later runs wait only until the process's queues have had threads.
  private static let deadlocksOfSilent = 8

  func token(_ profile: NetworkProfile, _ seed: UInt64) -> ReplayToken {
    ReplayToken(profile, seed: seed, start: startsAnywhere ? profile.drawnStart(seed) : .zero)
  }

  /// Makes a run in this process, and records its schedule if `isRecorded` says so.
  ///
  /// A run in which nothing moved is made again, because a busy machine may have held it up; the second one decides.
  func run(_ token: ReplayToken, isRecorded: Bool = false) async throws(SimulationError) -> SearchRun {
    let run = try await attempt(token, isRecorded)
    guard case .stuck? = run.error as? SimulationError else { return run }
    return try await attempt(token, isRecorded)
  }

  private func attempt(_ token: ReplayToken, _ isRecorded: Bool) async throws(SimulationError) -> SearchRun {
    let record: CrashReporter.Record?
    var (profile, seed, faults) = token.inputs
    switch token.content {
    case .schedule: record = origin.flatMap { known?.record(profile.name, $0) }
    case .seed:
      record = known?.record(profile.name, seed)
      if isRecorded { faults = .recorded }
    }
    let (closure, witness) = (closure, Locked<SimulatedNetwork?>(nil))
    do throws(SimulationError) {
      let run = try await EndedRun(
        profile, seed: seed, transport: transport, capturing: capture, options: runOptions, faults: faults,
        crashReport: RunNote(token, faults: []).crashReport(
          of: name, isSearch: isSearch, isRepeated: pool != nil, record: record)
      ) { network in
        witness.withLock { $0 = network }
        try await closure(network)
      }
      let ended = SearchRun(run, of: token, under: profile)
      seen.withLock { seen in
        if ended.failure?.fingerprint.isHang == true { seen.deadlocks += 1 }
        if run.wasMovedFromOutside { seen.callFromOutside = true }
      }
      return ended
    } catch {
      guard error.isHang || error.holdsThread, let network = witness.value else { throw error }
      return SearchRun(endedBy: error, token, in: network)
    }
  }

  /// The options of a run, with a time limit that comes after the horizon, so that the horizon ends an endless client.
  var runOptions: NetworkOptions {
    var options = options
    let (deadlocks, callFromOutside) = seen.value
    if deadlocks >= Self.deadlocksOfSilent, !callFromOutside, !waitsForOutside { options.silence = .zero }
    if let horizon, options.timeLimit == NetworkOptions().timeLimit {
      options.timeLimit = max(options.timeLimit, horizon * 2)
    }
    return options
  }

  /// Makes a run, in a worker process if there is one; throws when something outside of the run decided the result.
  func verdict(_ token: ReplayToken, isRecorded: Bool = false) async throws -> Verdict {
    if let verdict = try await pool?.verdict(token, of: self, isRecorded: isRecorded) { return verdict }
    return Verdict(try await runHere(token, isRecorded: isRecorded))
  }

  /// Makes a run and returns all of it; after a run that did not return in a worker process, builds it from the
  /// verdict.
  func wholeRun(_ token: ReplayToken, isRecorded: Bool = false) async throws -> SearchRun {
    guard let verdict = try await pool?.verdict(token, of: self, isRecorded: isRecorded),
      verdict.written != nil || verdict.ending != nil
    else {
      return try await runHere(token, isRecorded: isRecorded)
    }
    return SearchRun(endedBy: verdict, token)
  }

  private func runHere(_ token: ReplayToken, isRecorded: Bool = false) async throws -> SearchRun {
    let run = try await run(token, isRecorded: isRecorded)
    // Something else uses the shared session: the network did not cause this.
    if let error = run.error as? SharedSessionInterception.Failure {
      throw FailureSearchError.impossible("\(error)")
    }
    return run
  }

  private var closure: @Sendable (SimulatedNetwork) async throws -> Void {
    let (prepare, client, isListed) = (prepare, limited(client), isListed)
    return { network in
      if isListed { (network.recordsContents, network.recordsPackets) = (true, true) }
      try await prepare(network)
      try await client(network)
    }
  }

  private var client: @Sendable (SimulatedNetwork) async throws -> Void {
    let (body, clients) = (body, clients)
    guard clients > 1 else { return body }
    return { network in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<clients { group.addTask { try await body(network.client(number)) } }
        try await group.waitForAll()
      }
    }
  }

  /// Returns a client that throws ``HorizonPassed`` when it has not ended within the horizon of virtual time.
  private func limited(
    _ client: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) -> @Sendable (SimulatedNetwork) async throws -> Void {
    guard let horizon else { return client }
    return { network in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          try await client(network)
          return true
        }
        group.addTask {
          // If the client is cancelled, its own result counts.
          guard (try? await network.clock.sleep(toHorizon: horizon)) != nil else { return false }
          throw HorizonPassed(limit: horizon)
        }
        defer { group.cancelAll() }
        while let isOver = try await group.next(), !isOver {}
      }
    }
  }
}

extension SearchRunner {
  /// A copy of this runner that records contents and packets, so that the points of its runs can be listed.
  var listed: SearchRunner {
    var runner = self
    runner.isListed = true
    return runner
  }
}
