public import NetworkConditions

extension FailureSearch {
  /// Tries each fault that a run offers, and with a bound of 2 each pair of them: not some, as seeds do, but all.
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
  ///   - profile: the name of a built-in profile, a file, or a profile; its base conditions hold, and nothing is left to
  ///     chance: no loss, no jitter, no phase, no fault but those that are tried.
  /// - Throws: where a profile is named, an error that lists near names when there is no such profile.
  public static func everyFault<Source: ProfileSource>(
    upTo bound: Int = 1, of kinds: Set<FaultAlphabet.Kind> = .all, under profile: Source
  ) throws(Source.ProfileFailure) -> FaultExploration {
    FaultExploration(try profile.networkProfile(), upTo: bound, of: kinds)
  }
}

/// An exploration of every fault, up to a bound, that can happen to a client:
/// ``FailureSearch/everyFault(upTo:of:under:)``.
///
/// The client runs once without a fault. That run offers points: each request to be refused, each byte of an answer to
/// be the last, each packet to be lost, each gap between two events for an outage (``FaultAlphabet``). Up to 4,000
/// points are all run. Of more, those that the client cannot tell apart are one class, of which one is run, and a few
/// more to see whether they behave alike. With a bound of 2 the runs that did not fail offer a second fault.
///
/// Points are alike when the client gets to see the same events in the same order, within the same half second of the
/// transfer, and the same data, up to a cut in the same kind of place: a rule of experience. ``Reduction/none`` runs
/// each point.
public struct FaultExploration: Sendable {
  /// How many of the points are run.
  public enum Reduction: String, Codable, Hashable, Sendable {
    /// Each point where there are up to 4,000 single faults, or pairs, and so on; otherwise classes.
    ///
    /// So many take a second or two, and then nothing depends on what is taken to be alike.
    case automatic
    /// One of each class, and a sample of the others.
    case classes
    /// Each point: brute force.
    case none

    /// Whether each of so many points is run.
    func runsEach(of points: Int) -> Bool {
      switch self {
      case .automatic: points <= 4_000
      case .classes: false
      case .none: true
      }
    }
  }

  /// A share of an exploration, so that several machines have one each.
  public struct Shard: Hashable, Sendable {
    /// Which share it is, from 1.
    public let number: Int
    /// How many shards there are.
    public let count: Int

    /// All of it.
    public static let whole = Shard(unchecked: 1, of: 1)

    /// Creates a shard; `nil` where the number is not between 1 and the count.
    public init?(_ number: Int, of count: Int) {
      guard (1...100_000).contains(count), (1...count).contains(number) else { return nil }
      self.init(unchecked: number, of: count)
    }

    private init(unchecked number: Int, of count: Int) {
      (self.number, self.count) = (number, count)
    }

    /// Whether a piece of the work is in this shard.
    func has(_ piece: Int) -> Bool { piece % count == number - 1 }
  }

  /// The profile whose base conditions hold.
  public var profile: NetworkProfile
  /// How many faults may happen in one run, 1 to 3.
  public var bound: Int
  /// The faults that are tried.
  public var alphabet: FaultAlphabet
  /// How many of the points are run.
  public var reduction = Reduction.automatic
  /// One point in so many is run as a check that its class behaves alike.
  public var pointsPerCheck = 1000
  /// The name of what is explored, for the report.
  public var scenario = "the client"
  /// How many clients run the closure at once, each with a view of the network of its own.
  public var clients = 1
  /// Prepares the network once in each run, before the clients begin: adds stubs, mostly.
  public var prepare: @Sendable (SimulatedNetwork) async throws -> Void = { _ in }
  /// Who answers what no stub does.
  public var transport: (any Transport)?
  /// The part of the clients' waiting that is taken over beside the network and its clock.
  public var capture = CaptureMode.everything
  /// The options of each run's network.
  public var options = NetworkOptions()
  /// Where the runs are made, and how many at once.
  public var workers = FailureSearch.Workers.inProcess()
  /// How many runs at most are spent on cutting each failure down.
  public var rerunLimit = 100
  /// How much of its own time a client may take, beyond that of its run without a fault, before it counts as one that
  /// never ends.
  public var horizon = Duration.seconds(3600)
  /// How long in real time it may take; `nil` is for ever.
  ///
  /// An exploration that would take longer is refused, with an estimate.
  public var timeLimit: Duration? = .seconds(3600)
  /// The shard of the exploration that is run.
  public var shard = Shard.whole
  /// How the report prints the code that repeats a failure; where it is `nil`, the report has the token.
  public var code: ReplayCode?

  init(_ profile: NetworkProfile, upTo bound: Int, of kinds: Set<FaultAlphabet.Kind> = .all) {
    (self.profile, self.bound, alphabet) = (profile, bound, FaultAlphabet(kinds))
  }

  /// Explores.
  ///
  /// A task that is cancelled ends with a report of what was covered until then.
  ///
  /// - Parameters:
  ///   - progress: is called with the number of finished runs and of all runs; the second number may change.
  ///   - body: what each client does; the network is its to use.
  /// - Throws: ``FailureSearchError`` where nothing can be explored: the client fails without a fault, is not deterministic,
  ///   or it would take too long.
  public func run(
    progress: (@Sendable (Int, Int) -> Void)? = nil, _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws -> ExplorationReport {
    try await ExplorationRun(self, body, progress: progress).run()
  }
}
