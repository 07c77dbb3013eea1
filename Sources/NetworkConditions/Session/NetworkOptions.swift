/// The options of a network that are seldom needed, the same wherever one is made: for a session, a simulation or a test.
public struct NetworkOptions: Hashable, Sendable {
  /// How long in real time virtual time stands still for something outside of it, such as a server or a blocked thread.
  ///
  /// Then a simulation is given up; in a network of the pace ``Pace/immediate`` the requests that wait for that fail, after
  /// twice as long at most.
  public var patience: Duration

  /// Creates options; what is not said is as usual.
  public init(patience: Duration = .seconds(10)) {
    self.patience = patience
  }
}
