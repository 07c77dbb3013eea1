public import Foundation
import Internals
import URLLoading

/// The time of a client: a clock, the instant that counts as zero, and a date for `Retry-After`.
///
/// A retry budget or circuit breaker compares times of many requests, so requests that share one need the same origin.
public struct RetryClock: Sendable {
  /// The clock to use; `nil` means the loader's own clock.
  private let time: LoaderTime?
  /// The timer of the continuous clock, with which work may outlive its request; `nil` for other clocks.
  let timer: RealTimer?

  /// The loader's clock: the network's clock if it is simulated, otherwise ``continuous``.
  public static let automatic = RetryClock(time: nil)

  /// The continuous clock; its origin is the first use in this process.
  public static let continuous = {
    let (clock, origin) = (ContinuousClock(), ContinuousClock.now)
    return RetryClock(
      time: RetryClock(clock, origin: origin).time, timer: RealTimer(timer: SharedTimer(clock), origin: origin))
  }()

  private init(time: LoaderTime?, timer: RealTimer? = nil) {
    (self.time, self.timer) = (time, timer)
  }

  /// Creates the time of any clock.
  ///
  /// - Parameters:
  ///   - clock: the clock to read and to sleep by.
  ///   - origin: the instant that counts as zero.
  ///   - date: reads the wall clock; used for dates in `Retry-After` if a response has no `Date`.
  public init<C: Clock>(
    _ clock: C, origin: C.Instant, date: @escaping @Sendable () -> Date = { Date() }
  ) where C.Duration == Duration {
    self.init(time: LoaderTime(clock, origin: origin, date: date))
  }

  /// Returns this time, or the loader's own for ``automatic``.
  func resolved(for loader: any HTTPLoader) -> RetryClock {
    if time != nil { return self }
    return LoaderTime.of(loader).map { RetryClock(time: $0) } ?? .continuous
  }

  private var known: LoaderTime? { time ?? LoaderTime.current ?? Self.continuous.time }

  /// The time since the origin.
  public var now: Duration { known?.elapsed() ?? .zero }

  /// The wall clock's date, for `Retry-After`.
  var today: Date { known?.date() ?? Date() }

  /// Sleeps until a time since the origin; throws if the task is cancelled.
  func sleep(until time: Duration) async throws {
    try await known?.sleep(time)
  }

  /// Calls the work at a time since the origin; returns how to cancel it.
  func call(at time: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    if let timer, !SimulatedThread.isCurrent { return timer.call(at: time, work) }
    return Task { if (try? await sleep(until: time)) != nil { work() } }.cancel
  }
}

/// The shared timer of the continuous clock, with times since an origin.
struct RealTimer: Sendable {
  let timer: SharedTimer<ContinuousClock>
  let origin: ContinuousClock.Instant

  func call(at time: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = timer.call(at: origin.advanced(by: time), work)
    return { timer.cancel(number) }
  }
}
