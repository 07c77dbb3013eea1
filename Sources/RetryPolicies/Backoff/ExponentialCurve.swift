/// The curve of all exponential backoffs: v(n) = min(cap, base x multiplier^(n - 1)) before the n-th retry.
public struct ExponentialCurve: Hashable, Sendable {
  /// The wait before the first retry.
  public let base: Duration
  /// The factor from one wait to the next.
  public let multiplier: Double
  /// The longest wait.
  public let cap: Duration

  /// Creates a curve: by default 100 ms, doubling, up to 20 s.
  ///
  /// 20 s is the longest wait in the standard mode of AWS SDKs.
  public init(base: Duration = .milliseconds(100), multiplier: Double = 2, cap: Duration = .seconds(20)) {
    precondition(base >= .zero && cap >= .zero, "a delay is never negative")
    precondition(multiplier >= 1 && multiplier.isFinite, "a backoff's multiplier is at least 1 and finite")
    self.base = base
    self.multiplier = multiplier
    self.cap = cap
  }

  /// The wait before the n-th retry, to the nanosecond.
  ///
  /// Computed by repeated multiplication, which rounds the same on every platform; `pow` may not.
  public func value(at retry: Int) -> Duration {
    let limit = Double(cap.wholeNanoseconds)
    var value = Double(base.wholeNanoseconds)
    guard value > 0, multiplier > 1 else { return min(base, cap) }
    var count = 1
    while count < retry, value < limit {
      value *= multiplier
      count += 1
    }
    return value < limit ? .nanoseconds(Int64(value.rounded())) : cap
  }
}

extension RetryRequest {
  /// The number of attempts that have failed so far; at least 1, so that a decision can use it.
  public var failures: Int {
    max(1, attempts.count { $0.outcomeClass == .transientFailure || $0.outcomeClass == .permanentFailure })
  }
}
