/// The options of a network that are seldom needed, the same wherever one is made: for a session, a simulation or a test.
public struct NetworkOptions: Hashable, Sendable {
  /// How long in real time virtual time stands still for something outside of it, such as a server or a blocked thread.
  ///
  /// Then a simulation is given up; in a network of the pace ``Pace/immediate`` the requests that wait for that fail, after
  /// twice as long at most.
  public var patience: Duration
  /// How much virtual time a simulation may take: by default an hour, after which a client is taken never to end.
  ///
  /// Each step of a ``SteppedSimulation`` that waits for something may take as long.
  public var timeLimit: Duration
  /// How many requests a simulation may begin, redirects included: by default 250,000, which is what memory is for.
  ///
  /// A search lowers the default, since some of its many runs may never end.
  public var requestLimit: Int
  /// The ends of the path, in the place of the profile's: congestion control, connections for each host,
  /// keep-alive.
  ///
  /// A run that is repeated takes what it was recorded with: tokens and schedules hold it.
  public var configuration: PathConfiguration?

  /// Creates options; those that are not given have their defaults.
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
