import Internals

/// A token bucket for each server that stops retries while too many attempts fail: `retryThrottling` of gRPC.
///
/// Tokens begin at the maximum. A failed attempt takes one away, a successful one adds the ratio, and while no more than
/// half are left nothing is retried or hedged. With 10 tokens and a ratio of 0.1 that is above about one failure in ten
/// (gRPC proposal A6, "Throttling retry attempts and hedged RPCs"). Counted in thousandths, as gRPC's own core does, so
/// that no sum depends on rounding.
///
/// One instance is shared by all requests of a client.
public final class RetryThrottle: Sendable {
  private let maximum: Int
  private let ratio: Int
  /// The buckets that are not full.
  private let buckets = Mutex<[String: Int]>([:])
  /// More servers than this are not remembered: those with the most tokens, who have least to remember, are forgotten.
  static let mostServers = 1_000

  /// Creates full buckets.
  ///
  /// - Parameters:
  ///   - maximumTokens: above 0, at most 1000, as in gRPC.
  ///   - tokenRatio: what a success adds; above 0, to three decimals.
  public init(maximumTokens: Int = 10, tokenRatio: Double = 0.1) {
    precondition((1...1000).contains(maximumTokens), "the maximum of tokens is from 1 to 1000")
    precondition(tokenRatio > 0 && tokenRatio <= 1000, "a success adds something, up to 1000 tokens")
    maximum = maximumTokens * 1000
    ratio = max(1, Int((tokenRatio * 1000).rounded(.down)))
  }

  /// How many thousandths of a token a server's bucket holds.
  public func thousandths(host: String = "") -> Int {
    buckets.withLock { $0[host] ?? maximum }
  }

  /// Whether a request to this server may be retried or hedged now: more than half of the tokens are left.
  public func allowsRetry(host: String = "") -> Bool {
    thousandths(host: host) > maximum / 2
  }

  /// Takes a token away, after a failed attempt.
  public func recordFailure(host: String = "") {
    buckets.withLock { set(max(0, ($0[host] ?? maximum) - 1000), of: host, in: &$0) }
  }

  /// Adds the ratio, after a successful attempt.
  public func recordSuccess(host: String = "") {
    buckets.withLock { set(min(maximum, ($0[host] ?? maximum) + ratio), of: host, in: &$0) }
  }

  /// How many servers are remembered.
  var serverCount: Int { buckets.withLock { $0.count } }

  private func set(_ tokens: Int, of host: String, in buckets: inout [String: Int]) {
    buckets[host] = tokens < maximum ? tokens : nil
    buckets.forgetLeast(beyond: Self.mostServers, except: host) { -$0 }
  }

  /// Counts an attempt: a success, or a failure that would be retried.
  ///
  /// Everything else says nothing of the server.
  func record(_ attempt: RetryAttempt, host: String) {
    if attempt.verdict == .success { recordSuccess(host: host) }
    if attempt.verdict == .transientFailure || Pushback(attempt) == .stop { recordFailure(host: host) }
  }
}

/// A policy that neither retries nor hedges while its throttle is down.
public struct ThrottledPolicy: WrappingPolicy {
  /// The policy that decides otherwise.
  public let base: any RetryPolicy
  /// The tokens, shared with other requests.
  public let throttle: RetryThrottle

  /// Whether policy and throttle both grant it.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    throttle.allowsRetry(host: request.host) && base.grants(plan, of: request)
  }

  /// Counts the attempt.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    throttle.record(attempt, host: request.host)
    base.didFinish(attempt, of: request)
  }
}

extension RetryPolicy {
  /// This policy, as long as a throttle has tokens.
  public func throttled(by throttle: RetryThrottle) -> ThrottledPolicy {
    ThrottledPolicy(base: self, throttle: throttle)
  }
}
