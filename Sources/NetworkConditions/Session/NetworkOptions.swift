/// Rarely needed options of a network: the same for a session, a simulation and a test.
public struct NetworkOptions: Hashable, Sendable {
  /// The longest real time for which virtual time waits for something real, such as a server or a blocked thread.
  ///
  /// After that, a simulation ends with an error. In a network with ``Pace/immediate``, the requests that wait for it
  /// fail, after at most twice this time.
  public var patience: Duration
  /// The longest virtual time of a simulation, by default an hour; after that, it ends with an error.
  ///
  /// Each waiting step of a ``SteppedSimulation`` may take this time.
  public var timeLimit: Duration
  /// The most requests of a simulation, redirects included, by default 250,000; bounds memory.
  ///
  /// A search has a lower default, because some of its many runs may never end.
  public var requestLimit: Int
  /// Settings of the path's ends, instead of the profile's: congestion control, connections for each host, keep-alive.
  ///
  /// A repeated run uses the recorded settings, which tokens and schedules contain.
  public var configuration: PathConfiguration?
  /// How long a captured run without further events waits in real time for an outside call, before it counts as a
  /// deadlock.
  package var silence = Duration.milliseconds(100)

  /// Creates options; those not given have their default values.
  public init(
    patience: Duration = .seconds(10), timeLimit: Duration = .seconds(3_600), requestLimit: Int = 250_000,
    configuration: PathConfiguration? = nil
  ) {
    self.patience = patience
    self.timeLimit = timeLimit
    self.requestLimit = requestLimit
    self.configuration = configuration
  }
}

extension ProfileSource {
  package func networkProfile(under options: NetworkOptions) throws(ProfileFailure) -> NetworkProfile {
    var profile = try networkProfile()
    if let configuration = options.configuration { profile.configuration = configuration }
    return profile
  }
}
