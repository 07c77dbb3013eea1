extension EngineState {
  enum TimedWork {
    case timeouts(Int)
    case depart(Int)
    case reply(Reply, @Sendable () -> Void)
    case wake(Sleeper)
    /// Wakes a sleeper that does not make time advance: if nothing else is scheduled, the run is a deadlock.
    case wakeAtHorizon(Sleeper)
    case call(@Sendable () -> Void)
    /// Acts on the client, such as a kill, even while its app is suspended.
    case strike(@Sendable () -> Void)
    case resumeApp

    /// Whether this is the app's own work, which waits while the app is suspended.
    var isOfApp: Bool {
      switch self {
      case .timeouts, .wake, .call: true
      case .depart, .reply, .resumeApp, .wakeAtHorizon, .strike: false
      }
    }
  }
}
