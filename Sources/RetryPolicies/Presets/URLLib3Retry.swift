import Foundation

/// Retries as `Retry` of urllib3 2 does (urllib3, src/urllib3/util/retry.py).
///
/// - No wait before the first retry; before the n-th one factor x 2^(n - 1) + U(0, jitter), at most 120 s. The factor is
///   0 by default, so that nothing is waited for at all.
/// - A response is retried for an idempotent method only, and only when its status is forced, or is 413, 429 or 503 and
///   comes with `Retry-After`, which is then waited for instead, at most six hours.
/// - An error while connecting is retried for every method; one after the request was sent, for idempotent ones only.
///
/// When retries run out urllib3 raises an error; here the last outcome is handed over, as by every policy.
public struct URLLib3Retry: RetryPolicy {
  /// The longest backoff.
  public static let backoffLimit: Duration = .seconds(120)
  /// The longest time that `Retry-After` is waited for.
  public static let retryAfterLimit: Duration = .seconds(21_600)

  /// The wait before the second retry is twice this.
  public let factor: Duration
  /// The most that chance adds.
  public let jitter: Duration
  /// The statuses that are retried also without `Retry-After`.
  public let forcedStatuses: Set<Int>
  /// The attempts, and everything that may be retried; ``decision(after:of:random:)`` knows more.
  public let rules: RetryRules

  /// Creates it.
  ///
  /// - Parameters:
  ///   - total: the retries. 3 is what a request gets that asks for nothing (`Retry.DEFAULT`); `Retry()` has 10.
  ///   - factor: `backoff_factor`, as a time.
  ///   - jitter: `backoff_jitter`, as a time.
  ///   - forcedStatuses: `status_forcelist`.
  public init(
    total: Int = 3, factor: Duration = .zero, jitter: Duration = .zero, forcedStatuses: Set<Int> = []
  ) {
    precondition(total >= 0 && factor >= .zero && jitter >= .zero, "retries and waits are not negative")
    self.factor = factor
    self.jitter = jitter
    self.forcedStatuses = forcedStatuses
    rules = RetryRules(
      maximumAttempts: min(total, .max - 1) + 1, methods: .any, statuses: forcedStatuses.union([413, 429, 503]),
      errors: Self.connecting.union([.timedOut, .networkConnectionLost, .badServerResponse]), retryAfter: .ignored)
  }

  /// Retries where urllib3 does.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    let isIdempotent = RetryRequest.idempotentMethods.contains(request.method)
    if let status = attempt.outcome.status {
      guard isIdempotent, attempt.retryAfter != nil || forcedStatuses.contains(status) else { return .stop }
      if let wanted = attempt.retryAfter, wanted > .zero { return .retry(after: min(wanted, Self.retryAfterLimit)) }
    }
    if let code = attempt.outcome.errorCode, !isIdempotent, !Self.connecting.contains(code) { return .stop }
    guard request.failures > 1 else { return .retry(after: .zero) }
    let curve = ExponentialCurve(base: factor, cap: Self.backoffLimit)
    return .retry(after: min(Self.backoffLimit, curve.value(at: request.failures) + random.duration(to: jitter)))
  }

  /// The errors that come before a request is sent.
  private static let connecting: Set<URLError.Code> = [
    .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .secureConnectionFailed,
  ]
}

extension RetryPolicy where Self == URLLib3Retry {
  /// Retries as urllib3 does for a request that asks for nothing.
  public static var urllib3: URLLib3Retry { URLLib3Retry() }
}
