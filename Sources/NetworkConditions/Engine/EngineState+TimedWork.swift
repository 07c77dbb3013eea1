extension EngineState {
  /// Something to be done at a time.
  enum TimedWork {
    /// A client's time limits are looked at.
    case timeouts(Int)
    /// A request whose fault delayed it sets out.
    case depart(Int)
    case reply(Reply, @Sendable () -> Void)
    case wake(Sleeper)
    /// The same, of one for whom time does not go on: where all others wait in vain, that is told as it is.
    case wakeAtHorizon(Sleeper)
    case call(@Sendable () -> Void)
    /// Something befalls the client, whether its app is suspended or not.
    case strike(@Sendable () -> Void)
    /// The app goes on that was suspended for a while.
    case resumeApp

    /// Whether it is the app's own, which waits while that is suspended.
    var isOfApp: Bool {
      switch self {
      case .timeouts, .wake, .call: true
      case .depart, .reply, .resumeApp, .wakeAtHorizon, .strike: false
      }
    }
  }
}
