import Foundation
import URLLoading

/// Retries as `Retry` of urllib3 2 does (urllib3, src/urllib3/util/retry.py).
///
/// - The first retry does not wait. The n-th waits factor x 2^(n - 1) + U(0, jitter), at most 120 s. By default the factor
///   is 0, so no retry waits.
/// - A response is retried only if the method is idempotent. Its status must be in `forcedStatuses`, or be 413, 429 or 503
///   with `Retry-After`, which then sets the wait, at most six hours.
/// - An error while connecting is retried for every method; a later error only for idempotent ones.
///
/// When retries run out, urllib3 raises an error. This policy returns the last outcome instead, as every policy does.
public struct URLLib3Retry: RetryPolicy {
  /// The longest backoff.
  public static let backoffLimit: Duration = .seconds(120)
  /// The longest wait for `Retry-After`: six hours.
  public static let retryAfterLimit: Duration = .seconds(21_600)

  /// The backoff factor; the second retry waits twice this.
  public let factor: Duration
  /// The largest random addition to a wait.
  public let jitter: Duration
  /// The statuses that are retried even without `Retry-After`.
  public let forcedStatuses: Set<Int>
  /// The attempts, and all that may be retried; ``decision(after:of:random:)`` narrows it by method and header.
  public let rules: RetryRules

  /// Creates the policy; the defaults are those of a plain urllib3 request.
  ///
  /// - Parameters:
  ///   - total: the number of retries. The default is that of `Retry.DEFAULT`; `Retry()` has 10.
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

  /// Decides by method, status and error, as urllib3 does.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    let isIdempotent = HTTPMethods.idempotent.contains(request.method)
    if let status = attempt.outcome.status {
      guard isIdempotent, attempt.retryAfter != nil || forcedStatuses.contains(status) else { return .stop }
      if let wanted = attempt.retryAfter, wanted > .zero { return .retry(after: min(wanted, Self.retryAfterLimit)) }
    }
    if let code = attempt.outcome.errorCode, !isIdempotent, !Self.connecting.contains(code) { return .stop }
    guard request.failures > 1 else { return .retry(after: .zero) }
    let curve = ExponentialCurve(base: factor, cap: Self.backoffLimit)
    return .retry(after: min(Self.backoffLimit, curve.value(at: request.failures) + random.duration(to: jitter)))
  }

  /// The errors that occur before a request is sent.
  private static let connecting: Set<URLError.Code> = [
    .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .secureConnectionFailed,
  ]
}
