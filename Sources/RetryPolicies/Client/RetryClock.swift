public import Foundation
import URLLoading

/// The time of a client: a clock, with the instant that counts as zero, and a date for `Retry-After`.
///
/// A retry budget or circuit breaker sees the times of many requests: requests that share one share an origin too.
public struct RetryClock: Sendable {
  /// `nil` is the loader's.
  private let time: LoaderTime?
  /// Whether it is the continuous clock: then work may outlive the call that waits for it.
  let isContinuous: Bool

  /// The loader's own: the network's clock where that is simulated, ``continuous`` elsewhere.
  public static let automatic = RetryClock(time: nil)

  /// The continuous clock, from the first time that it was asked for in this process.
  public static let continuous = {
    let clock = RetryClock(ContinuousClock(), origin: .now)
    return RetryClock(time: clock.time, isContinuous: true)
  }()

  private init(time: LoaderTime?, isContinuous: Bool = false) {
    (self.time, self.isContinuous) = (time, isContinuous)
  }

  /// Takes any clock.
  ///
  /// - Parameters:
  ///   - clock: the clock that is read and slept by.
  ///   - origin: the instant that counts as zero.
  ///   - date: reads the wall clock, from which a date in `Retry-After` is counted where a response has no `Date`.
  public init<C: Clock>(
    _ clock: C, origin: C.Instant, date: @escaping @Sendable () -> Date = { Date() }
  ) where C.Duration == Duration {
    self.init(time: LoaderTime(clock, origin: origin, date: date))
  }

  /// Takes a clock: a simulated network's from its beginning, any other from now on.
  init<C: Clock>(of clock: C) where C.Duration == Duration {
    if clock is ContinuousClock {
      self = .continuous
    } else if let loader = clock as? any TimedLoaderClock {
      self.init(time: loader.loaderTime)
    } else {
      self.init(clock, origin: clock.now)
    }
  }

  /// The time for the requests of a loader.
  func resolved(for loader: any HTTPLoader) -> RetryClock {
    if time != nil { return self }
    return LoaderTime.of(loader).map { RetryClock(time: $0) } ?? .continuous
  }

  private var known: LoaderTime? { time ?? LoaderTime.current ?? Self.continuous.time }

  /// The time since the origin.
  public var now: Duration { known?.elapsed() ?? .zero }

  /// The date.
  var today: Date { known?.date() ?? Date() }

  /// Sleeps until a time since the origin; throws as soon as the task is cancelled.
  func sleep(until time: Duration) async throws {
    try await known?.sleep(time)
  }
}
