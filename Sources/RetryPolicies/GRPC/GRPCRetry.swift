import Foundation

/// Retries as gRPC does (proposal A6): exponential with a fifth of jitter, pushback, and a throttle shared by requests.
///
/// The n-th retry waits min(initial x multiplier^(n - 1), max) x U(0.8, 1.2). Any method is repeated, since in gRPC the
/// owner of the service says which calls are. `UNAVAILABLE` is what gRPC makes of the statuses 429, 502, 503 and 504
/// ("HTTP to gRPC status code mapping") and of a connection that cannot be made or breaks.
public struct GRPCRetry: RetryPolicy {
  /// The most attempts that a client makes, whatever the service asks for.
  public static let attemptLimit = 5

  /// The waits before jitter.
  public let curve: ExponentialCurve
  /// The tokens, shared with other requests; `nil` is not to throttle.
  public let throttle: RetryThrottle?
  /// The attempts, and what is `UNAVAILABLE`.
  public let rules: RetryRules

  /// Creates it; by default the example of the proposal: 4 attempts, 100 ms, doubling, up to 1 s.
  ///
  /// - Parameters:
  ///   - maximumAttempts: the original included, at least 2; more than five count as five.
  ///   - initialBackoff: the first wait, before jitter.
  ///   - multiplier: by how much each wait is longer than the one before.
  ///   - maximumBackoff: the longest wait, before jitter.
  ///   - throttle: shared by all policies of a client; `nil` is not to throttle.
  public init(
    maximumAttempts: Int = 4, initialBackoff: Duration = .milliseconds(100), multiplier: Double = 2,
    maximumBackoff: Duration = .seconds(1), throttle: RetryThrottle? = RetryThrottle()
  ) {
    precondition(maximumAttempts >= 2, "a retry policy of gRPC has at least two attempts")
    curve = ExponentialCurve(base: initialBackoff, multiplier: multiplier, cap: maximumBackoff)
    self.throttle = throttle
    rules = .grpc(maximumAttempts: maximumAttempts)
  }

  /// Retries after the backoff, or as the server's pushback says; after a pushback the backoff begins anew.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    switch Pushback(attempt) {
    case .stop: return .stop
    case .retry(let delay): return .retry(after: delay)
    case .none: break
    }
    let retry = max(1, request.attempts.reversed().prefix { Pushback($0) == .none }.count)
    let value = curve.value(at: retry)
    let fifth = value / 5
    return .retry(after: random.duration(from: value - fifth, to: value + fifth))
  }

  /// Whether the throttle has tokens.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    throttle?.allowsRetry(host: request.host) ?? true
  }

  /// Counts the attempt.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    throttle?.record(attempt, host: request.host)
  }
}

extension RetryRules {
  /// gRPC's: every method, what it calls `UNAVAILABLE`, no `Retry-After`, at most five attempts.
  static func grpc(maximumAttempts: Int) -> RetryRules {
    RetryRules(
      maximumAttempts: min(maximumAttempts, GRPCRetry.attemptLimit), methods: .any, statuses: [429, 502, 503, 504],
      errors: [
        .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .networkConnectionLost, .notConnectedToInternet,
        .secureConnectionFailed,
      ], retryAfter: .ignored)
  }
}

extension RetryPolicy where Self == GRPCRetry {
  /// Retries as gRPC does, with a throttle of its own.
  public static var grpc: GRPCRetry { GRPCRetry() }
}

/// The word of a gRPC server about further attempts, `grpc-retry-pushback-ms` (gRPC proposal A6, "Pushback").
enum Pushback: Hashable {
  /// The header is not there.
  case none
  /// Try again after exactly this time.
  case retry(after: Duration)
  /// Do not try again: the value is negative, or no 32-bit number without needless zeros.
  case stop

  /// Reads the header of an attempt's response.
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
