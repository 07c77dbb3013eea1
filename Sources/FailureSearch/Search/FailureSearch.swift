public import Internals
public import NetworkConditions

/// A search for the seed that breaks a client, and for the faults that cause it.
///
/// ```swift
/// let report = try await FailureSearch("tunnel", seeds: 0..<10_000).run { network in
///   let client = FeedClient(session: network.session, clock: network.clock)
///   let feed = try await client.refresh()
///   guard feed.items.count == 20 else { throw Incomplete(feed.items.count) }
/// }
/// print(report)
/// ```
///
/// Each seed is one run in virtual time (`Simulation`). The seed also decides where in the profile's phases the run
/// begins. One run in four begins anywhere, the others in the worst phase or shortly before it. So the share of failing
/// seeds does not tell how often the client fails on such a network.
///
/// A run fails when the closure throws, or when nothing can happen any more and the closure has not returned. The first
/// failure is then run again from its recorded faults alone. These are cut down to fewer, weaker and rounder ones while
/// the failure stays the same.
public struct FailureSearch: Sendable {
  /// When a search ends.
  public enum Extent: Hashable, Sendable {
    /// The search ends at the first failure.
    case firstFailure
    /// The search ends when every seed was run.
    ///
    /// Failures are grouped by fingerprint, and the first of each group is cut down.
    case allFailures
  }

  /// The profiles to search: one seed under all of them, then the next seed.
  public var profiles: [NetworkProfile]
  /// The range of seeds to search.
  public var seeds: Range<UInt64>
  /// When the search ends.
  public var extent: Extent
  /// How many clients run the closure at the same time, each with its own view of the network (`SimulatedNetwork.client(_:)`).
  public var clients = 1
  /// Prepares the network once in each run, before the clients begin; mostly it adds stubs.
  public var prepare: @Sendable (SimulatedNetwork) async throws -> Void = { _ in }
  /// The transport that answers requests for which there is no stub.
  public var transport: (any Transport)?
  /// What is captured for virtual time: all of the client's threads, timers, sleeps, locks and clocks, or nothing.
  public var capture = CaptureMode.everything
  /// The options of the network in each run.
  public var options = NetworkOptions()
  /// Where the runs are made, and how many at once.
  public var workers = Workers.inProcess()
  /// The most runs that are spent on cutting down a failure.
  public var rerunLimit = 500
  /// Whether each seed begins at another moment of the phases, mostly near the worst; otherwise all begin with the first.
  public var startsAnywhere = true
  /// A file of seeds that failed before, which are tried first.
  public var known: KnownFailures?
  /// The name of the search, printed when a run ends the process.
  package var name: String?
  /// How the report prints the code that repeats a failure; with `nil` the report prints the token.
  public var code: ReplayCode?

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - profiles: the names of built-in profiles, files, or profiles; each seed is run under each of them.
  ///   - seeds: the seeds, such as `0..<200` or `1...200`; with a range without an end the run throws an error.
  ///   - extent: when the search ends.
  /// - Throws: an error that lists near names when there is no profile with a given name.
  public init<Source: ProfileSource, Seeds: RangeExpression>(
    _ profiles: Source..., seeds: Seeds, until extent: Extent = .firstFailure
  ) throws(Source.ProfileFailure) where Seeds.Bound: FixedWidthInteger {
    self.profiles = []
    for source in profiles { self.profiles.append(try source.networkProfile()) }
    self.seeds = seeds.seeds ?? 0..<0
    self.extent = extent
  }

  /// Runs the search.
  ///
  /// - Parameters:
  ///   - progress: is called with the number of finished runs and of all runs.
  ///   - body: what each client does with its network.
  /// - Throws: ``FailureSearchError`` when the search cannot begin or a run cannot be carried to its end; `SimulationError`
  ///   when no simulation can begin. A failure of the closure is a result and no error.
  public func run(
    progress: (@Sendable (Int, Int) -> Void)? = nil, _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws -> FailureReport {
    var runner = try makeRunner(body)
    runner.name = name
    let (found, failures) = try await runner.withWorkers(workers) { runner in
      let found = try await collect(runner, progress: progress)
      var failures: [FoundFailure] = []
      for group in found.groups {
        var failure = try await Shrinker(runner, limit: rerunLimit).shrink(group.first, count: group.runs.count)
        failure.forms = group.forms
        failures.append(failure)
      }
      return (found, failures)
    }
    if let known { try known.add(failures) }
    return FailureReport(
      runs: found.done, runsWithFaults: found.met, madeRequests: found.madeRequests, seeds: seeds,
      profiles: profiles.map(\.name), failures: failures, code: code, capture: capture)
  }

  /// The limit of requests per client and run, unless the options set another one than the default.
  private static let requestLimit = 5_000

  func makeRunner(_ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void) throws(FailureSearchError)
    -> SearchRunner
  {
    if profiles.isEmpty { throw FailureSearchError.impossible("there is no profile: name one, for example \"tunnel\"") }
    if seeds.isEmpty { throw FailureSearchError.impossible("the range of seeds is empty: write for example 0..<200") }
    if clients < 1 { throw FailureSearchError.impossible("\(clients) clients: at least 1 is needed") }
    var options = options
    // A search makes many runs, so it stops an endless client sooner than a single simulation does.
    if options.requestLimit == NetworkOptions().requestLimit { options.requestLimit = Self.requestLimit * clients }
    return SearchRunner(
      profiles: profiles.map { $0.networkProfile(under: options) }, prepare: prepare, body: body, transport: transport,
      capture: capture, options: options, clients: clients,
      startsAnywhere: startsAnywhere, known: try known?.prepared())
  }
}

/// Why a search or an exploration could not be done.
public enum FailureSearchError: ExplainedError, Hashable, Sendable {
  /// The search makes no sense as it was asked for, for this reason.
  case impossible(String)
  /// A file of known failures cannot be read or written.
  case knownFailures(file: String, reason: String)
  /// A run could not be completed; `run` says which run, and how to repeat it.
  case unfinished(SimulationError, run: String)

  /// The error in one sentence.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation {
    switch self {
    case .impossible: .impossibleSearch
    case .knownFailures: .knownFailures
    case .unfinished(let error, _): error.explanation
    }
  }

  package var sentence: String {
    switch self {
    case .impossible(let reason):
      // The last of several lines is a command to copy, which a period would spoil.
      "Nothing can be searched: \(reason)\(reason.hasSuffix(".") || reason.contains("\n") ? "" : ".")"
    case .knownFailures(let file, let reason): "The known failures in \(file): \(reason)."
    case .unfinished(let error, let run): "\(error)\n\(run)"
    }
  }
}
