import Foundation

/// Retries as `RetryPolicy` of Alamofire 5 does, with its defaults (Alamofire, Source/Features/RetryPolicy.swift).
///
/// It makes two retries, after 0.5 s and 1 s: base^(retries so far) x scale. There is no jitter, `Retry-After` is ignored,
/// and 429 is not among its statuses. An `Idempotency-Key` does not make a POST retryable.
public struct AlamofireRetry: RetryPolicy {
  /// The waits: 0.5 s, doubling, without a cap.
  public let curve: ExponentialCurve
  /// Alamofire's methods, statuses, errors and maximum of attempts.
  public let rules: RetryRules

  /// Creates the policy with Alamofire's defaults.
  ///
  /// - Parameters:
  ///   - retryLimit: the retries; the attempts are one more.
  ///   - base: the factor from one wait to the next; at least 2.
  ///   - scale: the first wait.
  public init(retryLimit: Int = 2, base: Int = 2, scale: Duration = .milliseconds(500)) {
    precondition(retryLimit >= 0 && base >= 2, "the base is at least 2, and retries are not negative")
    curve = ExponentialCurve(base: scale, multiplier: Double(base), cap: .seconds(1_000_000_000))
    rules = RetryRules(
      maximumAttempts: min(retryLimit, .max - 1) + 1,
      methods: .only(["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"]),
      statuses: [408, 500, 502, 503, 504], errors: Self.errors, retryAfter: .ignored)
  }

  /// Retries after base^(retries so far) x scale.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    .retry(after: curve.value(at: request.failures))
  }

  /// The 18 errors that Alamofire retries.
  static let errors: Set<URLError.Code> = [
    .backgroundSessionInUseByAnotherProcess, .backgroundSessionWasDisconnected, .badServerResponse, .callIsActive,
    .cannotConnectToHost, .cannotFindHost, .cannotLoadFromNetwork, .dataNotAllowed, .dnsLookupFailed,
    .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete, .internationalRoamingOff,
    .networkConnectionLost, .notConnectedToInternet, .secureConnectionFailed, .serverCertificateHasBadDate,
    .serverCertificateNotYetValid, .timedOut,
  ]
}
