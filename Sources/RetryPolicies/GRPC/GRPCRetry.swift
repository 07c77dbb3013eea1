import Foundation

/// Retries as gRPC does (proposal A6): exponential backoff with 20 % jitter, server pushback, and a shared throttle.
///
/// The n-th retry waits min(initial x multiplier^(n - 1), max) x U(0.8, 1.2). Requests of any method are repeated: in gRPC
/// the service's owner configures which calls may be. Retried are connection failures and the statuses 429, 502, 503 and
/// 504, which gRPC maps to `UNAVAILABLE` ("HTTP to gRPC status code mapping").
public struct GRPCRetry: RetryPolicy {
  /// The most attempts that a client makes; larger values in a service's configuration count as this.
  public static let attemptLimit = 5

  /// The waits before jitter.
  public let curve: ExponentialCurve
  /// The token bucket, shared with other requests; `nil` means no throttling.
  public let throttle: RetryThrottle?
  /// The maximum number of attempts, and the failures that count as `UNAVAILABLE`.
  public let rules: RetryRules

  /// Creates the policy; the defaults are the proposal's example: 4 attempts, 100 ms, doubling, up to 1 s.
  ///
  /// - Parameters:
  ///   - maximumAttempts: includes the original; at least 2. Values above 5 count as 5.
  ///   - initialBackoff: the first wait, before jitter.
  ///   - multiplier: the factor from one wait to the next.
  ///   - maximumBackoff: the longest wait, before jitter.
  ///   - throttle: shared by all policies of a client; `nil` means no throttling.
  public init(
    maximumAttempts: Int = 4, initialBackoff: Duration = .milliseconds(100), multiplier: Double = 2,
    maximumBackoff: Duration = .seconds(1), throttle: RetryThrottle? = RetryThrottle()
  ) {
    precondition(maximumAttempts >= 2, "a retry policy of gRPC has at least two attempts")
    curve = ExponentialCurve(base: initialBackoff, multiplier: multiplier, cap: maximumBackoff)
    self.throttle = throttle
    rules = .grpc(maximumAttempts: maximumAttempts)
  }

  /// Retries after the backoff, or as the server's pushback says; after a pushback the backoff starts over.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    switch Pushback(attempt) {
    case .stop: return .stop
    case .retry(let delay): return .retry(after: delay)
    case .none: break
    }
    let retry = request.attempts.reversed().prefix { Pushback($0) == .none }.count
    let value = curve.value(at: retry)
    let fifth = value / 5
    return .retry(after: random.duration(from: value - fifth, to: value + fifth))
  }

  /// Returns whether the throttle has enough tokens for a retry.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    throttle?.allowsRetry(host: request.host) ?? true
  }

  /// Counts the attempt in the throttle.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    throttle?.record(attempt, host: request.host)
  }
}

extension RetryRules {
  /// gRPC's rules: any method, failures that map to `UNAVAILABLE`, no `Retry-After`, at most five attempts.
  static func grpc(maximumAttempts: Int) -> RetryRules {
    RetryRules(
      maximumAttempts: min(maximumAttempts, GRPCRetry.attemptLimit), methods: .any, statuses: [429, 502, 503, 504],
      errors: [
        .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .networkConnectionLost, .notConnectedToInternet,
        .secureConnectionFailed,
      ], retryAfter: .ignored)
  }
}

/// The server's `grpc-retry-pushback-ms` header: whether and when to retry (gRPC proposal A6, "Pushback").
enum Pushback: Hashable {
  case none
  /// Try again after exactly this time.
  case retry(after: Duration)
  /// Do not retry: the value is negative, has leading zeros, or is not a 32-bit number.
  case stop

  init(_ attempt: RetryAttempt) {
    guard case .response(let head) = attempt.outcome, let value = head.header("grpc-retry-pushback-ms") else {
      self = .none
      return
    }
    guard let milliseconds = Int32(value), milliseconds >= 0, String(milliseconds) == value else {
      self = .stop
      return
    }
    self = .retry(after: .milliseconds(Int64(milliseconds)))
  }
}
