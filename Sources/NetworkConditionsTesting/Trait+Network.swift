// Users need no further import for `workers: .processes()`.
@_exported public import FailureSearch
public import NetworkConditions
public import Testing

extension Trait where Self == NetworkTrait {
  /// Runs a test once, under a profile.
  ///
  /// The run equals the one that a search makes with this seed, so a seed that a search has found can be written here.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, such as `"3G"` or `"tunnel@portal"`, a file, or a profile.
  ///   - seed: decides everything that is left to chance.
  ///   - clients: how many clients run the test at the same time, each with its own view of the network.
  ///   - startsAnywhere: whether the seed chooses where in the profile's phases the run begins; otherwise with the first.
  ///   - capture: what is captured for virtual time: the whole client, or nothing.
  ///   - options: time limits of the simulation, and settings of the two ends of the path.
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

  /// Runs a test under many seeds until one fails, and reports that failure, cut down to the faults that cause it.
  ///
  /// The test runs once for each seed, one after another, each time with a new instance of its suite. State outside of
  /// it, as in statics, remains between runs and makes them differ.
  ///
  /// If there is a folder `KnownFailures` beside the test's file, failing seeds are kept there and tried first.
  ///
  /// If no run met a fault, the search has shown nothing, and a warning says so.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, a file, or a profile.
  ///   - seeds: the seeds, such as `0..<200` or `1...200`; the first failing one is reported.
  ///   - clients: how many clients run the test at the same time, each with its own view of the network.
  ///   - startsAnywhere: whether each seed chooses where in the profile's phases its run begins; otherwise with the first.
  ///   - capture: what is captured for virtual time: the whole client, or nothing.
  ///   - options: time limits of the simulation, and settings of the two ends of the path.
  ///   - workers: where the runs are made, by default one after another in this process. In `.processes()` a test that traps
  ///     is a failure like any other (Linux; the test takes no arguments).
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

  /// Runs a test under every fault that can happen to it, and reports each way in which the test fails.
  ///
  /// The test runs once without a fault. Then it runs once for each class of points that its client can tell apart
  /// (`FaultExploration`), each time with a new instance of its suite. Failures are cut down to the faults that cause
  /// them. The report of what was covered is printed, and attached to the test.
  ///
  /// - Parameters:
  ///   - profile: the name of a built-in profile, a file, or a profile: only its base conditions hold, without chance.
  ///   - bound: how many faults may happen in one run.
  ///   - kinds: the kinds of faults that are tried, such as `.all.subtracting([.corrupt])`.
  ///   - clients: how many clients run the test at the same time, each with its own view of the network.
  ///   - capture: what is captured for virtual time: the whole client, or nothing.
  ///   - options: time limits of the simulation, and settings of the two ends of the path.
  ///   - workers: where the runs are made, by default one after another in this process. In `.processes()` a test that traps
  ///     is a failure like any other (Linux; the test takes no arguments).
  ///   - sourceLocation: where an unknown name is reported.
  public static func network(
    _ profile: some ProfileSource, everyFault bound: Int, of kinds: Set<FaultKinds.Kind> = .all, clients: Int = 1,
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

  /// Runs a test again from a replay token, or under exactly the faults of a schedule.
  ///
  /// - Parameters:
  ///   - run: the token, which begins with `netcond1:`, or a schedule.
  ///   - clients: how many clients run the test at the same time, each with its own view of the network.
  ///   - capture: what is captured for virtual time: the whole client, or nothing.
  ///   - options: time limits of the simulation, and settings of the two ends of the path.
  ///   - sourceLocation: where a damaged or outdated token, or a fault that never happened, is reported.
  public static func network(
    replaying run: some ReplaySource, clients: Int = 1, capturing capture: CaptureMode = .everything,
    options: NetworkOptions = NetworkOptions(), sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    NetworkTrait(
      RequestedNetwork(.replay(run), clients: clients, capturing: capture, options: options), at: sourceLocation)
  }
}
