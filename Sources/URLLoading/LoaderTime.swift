import Internals

/// The time in which a loader's answers come, where it has one of its own.
package struct LoaderTime: Sendable {
  /// The time since the origin.
  package let elapsed: @Sendable () -> Duration
  /// Sleeps until a time since the origin.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// The date.
  package let date: @Sendable () -> Date
  /// Returns when there is a network; `nil` where that is not known.
  package var path: (@Sendable () async -> Void)?

  package init<C: Clock>(
    _ clock: C, origin: C.Instant, date: @escaping @Sendable () -> Date
  ) where C.Duration == Duration {
    elapsed = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    self.date = date
  }

  /// The time of the simulation that the task runs in.
  @TaskLocal package static var current: LoaderTime?

  private struct Finder {
    var find: @Sendable (URLSession) -> LoaderTime? = { _ in nil }
  }
  private static let finder = Mutex(Finder())

  /// Says how the time of a session is found.
  package static func find(by find: @escaping @Sendable (URLSession) -> LoaderTime?) {
    finder.withLock { $0.find = find }
  }

  /// The time of a loader; of one that is not known, that of the simulation in which it is asked.
  package static func of(_ loader: any HTTPLoader) -> LoaderTime? {
    if let loader = loader as? any TimedLoader { return loader.loaderTime }
    if let session = loader as? URLSession, let time = finder.withLock({ $0.find })(session) { return time }
    return current
  }
}

/// A loader that has a time of its own.
package protocol TimedLoader: HTTPLoader {
  var loaderTime: LoaderTime { get }
}

/// A clock that belongs to a loader's time.
package protocol TimedLoaderClock: Sendable {
  var loaderTime: LoaderTime { get }
}
