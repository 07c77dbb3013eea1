// So that `workers: .processes()` needs no further import.
@_exported public import FailureSearch
public import NetworkConditions
public import Testing

extension Trait where Self == NetworkTrait {
  /// Runs a test once, under a profile.
  ///
  /// The run is the one that a search over seeds makes of this seed, so that a seed which one has found can be written here.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, such as `"3G"` or `"tunnel@portal"`, a file, or a profile.
  ///   - seed: decides everything that is left to chance.
  ///   - clients: how many times the test runs at once, each with a view of the network of its own.
  ///   - startsAnywhere: whether the run begins at a moment of the profile's phases that the seed draws; otherwise with the
  ///     first phase.
  ///   - capture: what of the client's waiting is taken over beside the network and its clock.
  ///   - options: how long it is patient, and how the two ends of the path behave.
  ///   - sourceLocation: where an unknown name is reported.
  public static func network(
    _ profile: some ProfileSource, seed: UInt64 = 0, clients: Int = 1, startsAnywhere: Bool = true,
    capturing capture: CaptureMode = .everything, options: NetworkOptions = NetworkOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    NetworkTrait(
      RequestedNetwork(
        .seed(profile, seed), clients: clients, startsAnywhere: startsAnywhere, capturing: capture, options: options),
      at: sourceLocation)
  }

  /// Runs a test under many seeds until one fails, and reports that failure alone, cut down to the faults that it takes.
  ///
  /// The test runs once for each seed, one after another, each time with a fresh instance of its suite. State that it
  /// keeps elsewhere, as in statics, stays from run to run and makes the runs differ.
  ///
  /// Seeds that have failed are kept in a folder `KnownFailures` beside the test's file, and tried first, if there is one.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, a file, or a profile.
  ///   - seeds: the seeds, such as `0..<200` or `1...200`; the first that fails is the one that is reported.
  ///   - clients: how many times the test runs at once, each with a view of the network of its own.
  ///   - startsAnywhere: whether each run begins at a moment of the profile's phases of its own; otherwise all begin with
  ///     the first phase.
  ///   - capture: what of the client's waiting is taken over beside the network and its clock.
  ///   - options: how long it is patient, and how the two ends of the path behave.
  ///   - workers: where the runs are made: one after another in this process, unless it is said. In `.processes()` a test
  ///     that traps is a failure like any other (Linux; the test takes no arguments).
  ///   - sourceLocation: where an unknown name, or an empty range, is reported.
  public static func network<Seeds: RangeExpression>(
    _ profile: some ProfileSource, seeds: Seeds, clients: Int = 1, startsAnywhere: Bool = true,
    capturing capture: CaptureMode = .everything, options: NetworkOptions = NetworkOptions(),
    workers: FailureSearch.Workers = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self where Seeds.Bound: FixedWidthInteger {
    NetworkTrait(
      RequestedNetwork(
        .seeds(profile, range: seeds), clients: clients, startsAnywhere: startsAnywhere, capturing: capture,
        options: options, workers: workers),
      at: sourceLocation)
  }

  /// Runs a test under every fault that can happen to it, up to so many in one run, and reports each way in which it fails,
  /// cut down to the faults that it takes.
  ///
  /// The test runs once without a fault, then once for each class of points that its client can tell apart
  /// (`FaultExploration`), one after another, each time with a fresh instance of its suite. The report of what was
  /// covered is printed, and attached to the test.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, a file, or a profile: its base conditions hold, and nothing is left to
  ///     chance.
  ///   - bound: how many faults may happen in one run.
  ///   - kinds: the kinds of faults that are tried, such as `.all.subtracting([.corrupt])`.
  ///   - clients: how many times the test runs at once, each with a view of the network of its own.
  ///   - capture: what of the client's waiting is taken over beside the network and its clock.
  ///   - options: how long it is patient, and how the two ends of the path behave.
  ///   - workers: where the runs are made: one after another in this process, unless it is said. In `.processes()` a test
  ///     that traps is a failure like any other (Linux; the test takes no arguments).
  ///   - sourceLocation: where an unknown name is reported.
  public static func network(
    _ profile: some ProfileSource, everyFault bound: Int, of kinds: Set<FaultAlphabet.Kind> = .all, clients: Int = 1,
    capturing capture: CaptureMode = .everything,
    options: NetworkOptions = NetworkOptions(),
    workers: FailureSearch.Workers = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    NetworkTrait(
      RequestedNetwork(
        .everyFault(profile, upTo: bound, of: kinds), clients: clients, capturing: capture, options: options,
        workers: workers),
      at: sourceLocation)
  }

  /// Runs a test once more as a replay token says, or in a network in which the faults of a schedule happen, and no others.
  ///
  /// - Parameters:
  ///   - run: the token, `netcond1:` and what follows, or a schedule.
  ///   - clients: how many times the test runs at once, each with a view of the network of its own.
  ///   - capture: what of the client's waiting is taken over beside the network and its clock.
  ///   - options: how long it is patient, and how the two ends of the path behave.
  ///   - sourceLocation: where a token is reported that is damaged or stale, and a fault that never came to happen.
  public static func network(
    replaying run: some ReplaySource, clients: Int = 1, capturing capture: CaptureMode = .everything,
    options: NetworkOptions = NetworkOptions(), sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    NetworkTrait(
      RequestedNetwork(.replay(run), clients: clients, capturing: capture, options: options), at: sourceLocation)
  }
}
