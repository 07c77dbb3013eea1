public import NetworkConditions

extension FailureSearch {
  /// Prepares an exploration of every fault that a run offers, and with a bound of 2 also of every pair.
  ///
  /// ```swift
  /// let report = try await FailureSearch.everyFault(upTo: 1, under: "3G").run { network in
  ///   try await payOrder(network)
  /// }
  /// print(report)
  /// ```
  ///
  /// - Parameters:
  ///   - bound: how many faults may happen in one run, 1 to 3.
  ///   - kinds: the kinds of faults that are tried.
  ///   - profile: the name of a built-in profile, a file, or a profile. Only its base conditions hold, without loss, jitter,
  ///     phases and faults: nothing is left to chance.
  /// - Throws: an error that lists near names when there is no profile with the given name.
  public static func everyFault<Source: ProfileSource>(
    upTo bound: Int = 1, of kinds: Set<FaultKinds.Kind> = .all, under profile: Source
  ) throws(Source.ProfileFailure) -> FaultExploration {
    FaultExploration(try profile.networkProfile(), upTo: bound, of: kinds)
  }
}

/// An exploration of every fault that can happen to a client, up to a bound: ``FailureSearch/everyFault(upTo:of:under:)``.
///
/// The client runs once without a fault. That run offers points (``FaultKinds``). Each request can be refused. Each
/// byte of an answer can be the last. Each packet can be lost. Between any two events an outage can begin.
///
/// Up to 4,000 points are all run. More points are grouped into classes that the client cannot tell apart. One point of
/// each class is run, and a few more as a check. With a bound of 2 the runs that did not fail offer a second fault.
///
/// Points of one class show the client the same events in the same order, within the same half second of the transfer.
/// Their data ends at the same kind of place. This grouping is a heuristic: ``Reduction/none`` runs each point.
public struct FaultExploration: Sendable {
  /// How many of the points are run.
  public enum Reduction: String, Codable, Hashable, Sendable {
    /// Runs each point where there are up to 4,000 single faults, or pairs, and so on; otherwise uses classes.
    ///
    /// With a run of a millisecond that takes a few seconds. The result does not depend on the grouping into classes.
    /// For a client whose runs take longer, choose ``classes``.
    case automatic
    /// Runs one point of each class, and a sample of the others.
    case classes
    /// Runs each point: brute force.
    case none

    func runsEach(of points: Int) -> Bool {
      switch self {
      case .automatic: points <= 4_000
      case .classes: false
      case .none: true
      }
    }
  }

  /// One of several equal parts of an exploration, so that several machines can divide the work.
  public struct Shard: Hashable, Sendable {
    /// The number of this shard, from 1 to ``count``.
    public let number: Int
    /// How many shards there are.
    public let count: Int

    /// The whole exploration as one shard.
    public static let whole = Shard(unchecked: 1, of: 1)

    /// Creates a shard; `nil` when the number is not from 1 to `count`.
    public init?(_ number: Int, of count: Int) {
      guard (1...100_000).contains(count), (1...count).contains(number) else { return nil }
      self.init(unchecked: number, of: count)
    }

    private init(unchecked number: Int, of count: Int) {
      (self.number, self.count) = (number, count)
    }

    func has(_ piece: Int) -> Bool { piece % count == number - 1 }
  }

  /// The profile whose base conditions hold in every run.
  public var profile: NetworkProfile
  /// How many faults may happen in one run, 1 to 3.
  public var bound: Int
  /// The kinds of faults that are tried, and their lengths.
  public var faults: FaultKinds
  /// How many of the points are run.
  public var reduction = Reduction.automatic
  /// One in this many points is run, to check that all points of a class lead to the same behaviour.
  public var pointsPerCheck = 1000
  /// The name of the client under test, for the report.
  public var scenario = "the client"
  /// How many clients run the closure at the same time, each with its own view of the network.
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
  public var workers = FailureSearch.Workers.inProcess()
  /// The most runs that are spent on cutting down each failure.
  public var rerunLimit = 100
  /// How much longer than its run without a fault a client may run in virtual time before it counts as endless.
  public var horizon = Duration.seconds(3600)
  /// How long the exploration may take in real time; `nil` is without limit.
  ///
  /// If the estimate is longer, the exploration is refused.
  public var timeLimit: Duration? = .seconds(3600)
  /// The shard of the exploration that is run.
  public var shard = Shard.whole
  /// How the report prints the code that repeats a failure; with `nil` the report prints the token.
  public var code: ReplayCode?

  init(_ profile: NetworkProfile, upTo bound: Int, of kinds: Set<FaultKinds.Kind> = .all) {
    (self.profile, self.bound, faults) = (profile, bound, FaultKinds(kinds))
  }

  /// Runs the exploration.
  ///
  /// A cancelled task returns a report of what was covered until then.
  ///
  /// - Parameters:
  ///   - progress: is called with the numbers of finished runs and of known runs; more runs become known on the way.
  ///   - body: what each client does with its network.
  /// - Throws: ``FailureSearchError`` when the client fails without a fault, is not deterministic, or would take too long.
  public func run(
    progress: (@Sendable (Int, Int) -> Void)? = nil, _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws -> ExplorationReport {
    try await ExplorationRun(self, body, progress: progress).run()
  }
}
