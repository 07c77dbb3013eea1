import Internals
import NetworkConditions
import URLLoading

struct SearchTrial: Sendable {
  let profiles: [NetworkProfile]
  var prepare: @Sendable (SimulatedNetwork) async throws -> Void
  let body: @Sendable (SimulatedNetwork) async throws -> Void
  let transport: (any Transport)?
  /// How long in real time a run may take that has a process of its own, if it is less than such a process has.
  var timeLimit: Duration?
  let capture: CaptureMode
  var options: NetworkOptions
  var clients: Int
  let startsAnywhere: Bool
  var known: KnownFailures.Prepared?
  /// The seed that a schedule was recorded of, if it was.
  var origin: UInt64?
  /// After how much of its own time a client has failed that has not ended; `nil` is never.
  var horizon: Duration?
  /// Whether the contents and packets of a run are recorded, which it takes to list its points.
  var isListed = false
  var name: String?
  var isSearch = true
  /// The processes that runs are made in; `nil` is this one.
  var crew: WorkerCrew?

  func token(_ profile: NetworkProfile, _ seed: UInt64) -> ReplayToken {
    ReplayToken(profile, seed: seed, start: startsAnywhere ? profile.drawnStart(seed) : .zero)
  }

  /// Makes a run in this process, and writes its schedule down where it is recorded.
  func course(_ token: ReplayToken, isRecorded: Bool = false) async throws(SimulationError) -> SearchCourse {
    let record: LastWords.Record?
    var (profile, seed, faults) = token.course
    switch token.content {
    case .schedule: record = origin.flatMap { known?.record(profile.name, $0) }
    case .seed:
      record = known?.record(profile.name, seed)
      if isRecorded { faults = .recorded }
    }
    let (closure, witness) = (closure, Locked<SimulatedNetwork?>(nil))
    do throws(SimulationError) {
      let course = try await SimulationCourse(
        profile, seed: seed, transport: transport, capturing: capture, options: limits, faults: faults,
        lastWords: RunNote(token, faults: []).lastWords(
          of: name, isSearch: isSearch, isRepeated: crew != nil, record: record)
      ) { network in
        witness.withLock { $0 = network }
        try await closure(network)
      }
      return SearchCourse(course, of: token, under: profile)
    } catch {
      guard error.isHang || error.holdsThread, let network = witness.value else { throw error }
      return SearchCourse(endedBy: error, token, in: network)
    }
  }

  /// The options of a run: its horizon ends a client that goes on, and the usual limit of time must not come first.
  private var limits: NetworkOptions {
    guard let horizon, options.timeLimit == NetworkOptions().timeLimit else { return options }
    var options = options
    options.timeLimit = max(options.timeLimit, horizon * 2)
    return options
  }

  /// Makes a run, in another process where there are some; throws ``FailureSearchError`` where nothing that a network
  /// did decided it.
  func verdict(_ token: ReplayToken, isRecorded: Bool = false) async throws -> Verdict {
    if let verdict = try await crew?.verdict(token, of: self, isRecorded: isRecorded) { return verdict }
    return Verdict(try await ownCourse(token, isRecorded: isRecorded))
  }

  /// Makes a run of which everything is to be told; one that does not return in another process, in the words of that.
  func toldCourse(_ token: ReplayToken, isRecorded: Bool = false) async throws -> SearchCourse {
    guard let verdict = try await crew?.verdict(token, of: self, isRecorded: isRecorded),
      verdict.telling != nil || verdict.ending != nil
    else {
      return try await ownCourse(token, isRecorded: isRecorded)
    }
    return SearchCourse(endedBy: verdict, token)
  }

  private func ownCourse(_ token: ReplayToken, isRecorded: Bool = false) async throws -> SearchCourse {
    let course = try await course(token, isRecorded: isRecorded)
    // Somebody else has the shared session: nothing that a network did.
    if let error = course.error as? SharedSessionInterception.Failure {
      throw FailureSearchError.impossible("\(error)")
    }
    return course
  }

  // MARK: The closure

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

  /// Returns a client that throws ``HorizonPassed`` where it has not ended within the horizon of virtual time.
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
          // Where the client is cancelled, its own error counts, or its success.
          guard (try? await network.clock.sleep(toHorizon: horizon)) != nil else { return false }
          throw HorizonPassed(limit: horizon)
        }
        defer { group.cancelAll() }
        while let isOver = try await group.next(), !isOver {}
      }
    }
  }
}
