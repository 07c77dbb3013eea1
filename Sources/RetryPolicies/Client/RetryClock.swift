public import Foundation

/// The time of a client: a clock, with the instant that counts as zero, and a date for `Retry-After`.
///
/// A retry budget or circuit breaker sees the times of many requests: requests that share one share an origin too.
public struct RetryClock: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let wait: @Sendable (Duration) async throws -> Void
  private let date: @Sendable () -> Date

  /// The continuous clock, from the first time that it was asked for in this process.
  public static let continuous = RetryClock(ContinuousClock(), origin: .now)

  /// Takes any clock.
  ///
  /// - Parameters:
  ///   - clock: the clock that is read and slept by.
  ///   - origin: the instant that counts as zero.
  ///   - date: reads the wall clock, from which a date in `Retry-After` is counted where a response has no `Date`.
  public init<C: Clock>(
    _ clock: C, origin: C.Instant, date: @escaping @Sendable () -> Date = { Date() }
  ) where C.Duration == Duration {
    elapsed = { origin.duration(to: clock.now) }
    wait = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    self.date = date
  }

  /// The time since the origin.
  public var now: Duration { elapsed() }

  /// The date.
  var today: Date { date() }

  /// Sleeps until a time since the origin; throws as soon as the task is cancelled.
  func sleep(until time: Duration) async throws {
    try await wait(time)
  }
}
