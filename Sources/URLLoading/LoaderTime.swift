package import Internals

/// The clock that governs a loader's responses: virtual or real time.
package struct LoaderTime: Sendable {
  /// Returns the time since the origin.
  package let elapsed: @Sendable () -> Duration
  /// Sleeps until a time, counted from the origin.
  package let sleep: @Sendable (Duration) async throws -> Void
  package let date: @Sendable () -> Date
  /// Waits until a network is available; `nil` if its availability is unknown.
  package var path: (@Sendable () async -> Void)?

  package init<C: Clock>(
    _ clock: C, origin: C.Instant, date: @escaping @Sendable () -> Date
  ) where C.Duration == Duration {
    elapsed = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    self.date = date
  }

  /// The clock of the simulation in which the current task runs.
  @TaskLocal package static var current: LoaderTime?

  /// Finds the time of a simulated network and of its sessions.
  package static let finder = Hook<@Sendable (any HTTPLoader) -> LoaderTime?>()

  /// Returns a loader's clock; for an unknown loader, the clock of the simulation in which the caller runs.
  package static func of(_ loader: any HTTPLoader) -> LoaderTime? {
    finder.value?(loader) ?? current
  }
}
