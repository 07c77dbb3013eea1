import Foundation
package import NetworkConditions

/// The network that a test asks for; names and tokens are looked up when the test runs.
package struct RequestedNetwork: Sendable {
  package enum Runs: Sendable {
    case seed(any ProfileSource, UInt64)
    case seeds(any ProfileSource, Range<UInt64>)
    case everyFault(any ProfileSource, upTo: Int, of: Set<FaultKinds.Kind>)
    case replay(any ReplaySource)
    /// The test's arguments make no sense: this error is thrown when the test runs.
    case impossible(FailureSearchError)

    package static func seeds<Seeds: RangeExpression>(_ profile: any ProfileSource, range: Seeds) -> Runs
    where Seeds.Bound: FixedWidthInteger {
      guard let seeds = range.seeds else {
        return .impossible(.impossible("the seeds \(range) are not all from 0 to 2^64 - 2: write for example 0..<200"))
      }
      return .seeds(profile, seeds)
    }
  }

  package enum Resolved: Sendable {
    case run(ReplayToken)
    case search(FailureSearch)
    case exploration(FaultExploration)
  }

  private let runs: Runs
  package let clients: Int
  /// What is captured for virtual time: all of the client's threads, timers, sleeps, locks and clocks, or nothing.
  package let capture: CaptureMode
  package let options: NetworkOptions
  private let startsAnywhere: Bool
  /// Where the runs are made: by default one at a time, since a test may use files and statics.
  private let workers: FailureSearch.Workers

  package init(
    _ runs: Runs, clients: Int = 1, startsAnywhere: Bool = true, capturing capture: CaptureMode = .everything,
    options: NetworkOptions = NetworkOptions(), workers: FailureSearch.Workers = 1
  ) {
    self.runs = runs
    self.clients = clients
    self.startsAnywhere = startsAnywhere
    self.capture = capture
    self.options = options
    self.workers = workers
  }

  /// Looks up the names and tokens, and returns the run, search or exploration that the test asks for.
  ///
  /// `NETCOND_REPLAY` replaces every request. `NETCOND_PROFILE` and `NETCOND_SEED` leave a replayed schedule alone.
  package func resolved(
    in environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Resolved {
    let asked = try NetworkEnvironment(environment)
    if clients < 1 { throw FailureSearchError.impossible("\(clients) clients: at least 1 is needed") }
    if let replay = asked.replay { return .run(replay) }
    switch runs {
    case .impossible(let error): throw error
    case .replay(let run): return .run(try run.replayToken())
    case .everyFault(let profile, let bound, let kinds):
      var exploration = FaultExploration(
        try (asked.profile ?? profile.networkProfile()).networkProfile(under: options), upTo: bound, of: kinds)
      exploration.clients = clients
      exploration.capture = capture
      exploration.options = options
      exploration.shard = try FaultExploration.Shard(in: environment) ?? .whole
      exploration.workers = workers
      return .exploration(exploration)
    case .seed(let profile, let seed):
      let profile = try (asked.profile ?? profile.networkProfile()).networkProfile(under: options)
      guard let seeds = asked.seeds else { return run(profile, seed) }
      return try resolved(profile, seeds, isSearch: false)
    case .seeds(let profile, let seeds):
      let profile = try (asked.profile ?? profile.networkProfile()).networkProfile(under: options)
      return try resolved(profile, asked.seeds ?? seeds, isSearch: asked.seeds == nil)
    }
  }

  /// Returns a search over the seeds; a single seed from the environment means one run and no search.
  private func resolved(
    _ profile: NetworkProfile, _ seeds: Range<UInt64>, isSearch: Bool
  ) throws(FailureSearchError) -> Resolved {
    if seeds.isEmpty { throw .impossible("the range of seeds is empty: write for example 0..<200") }
    if !isSearch, seeds.upperBound - seeds.lowerBound == 1 { return run(profile, seeds.lowerBound) }
    var search = FailureSearch(profile, seeds: seeds)
    search.clients = clients
    search.capture = capture
    search.options = options
    search.startsAnywhere = startsAnywhere
    search.workers = workers
    return .search(search)
  }

  private func run(_ profile: NetworkProfile, _ seed: UInt64) -> Resolved {
    .run(ReplayToken(profile, seed: seed, start: startsAnywhere ? profile.drawnStart(seed) : .zero))
  }
}
