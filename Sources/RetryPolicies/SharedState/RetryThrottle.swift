import Internals

/// A token bucket per server that stops retries while too many attempts fail: `retryThrottling` of gRPC.
///
/// A bucket starts full. A failed attempt removes one token, and a success adds `tokenRatio`. Retries and hedges need more
/// than half of the tokens. With 10 tokens and a ratio of 0.1 they stop above about one failure in ten (gRPC proposal A6,
/// "Throttling retry attempts and hedged RPCs"). Counts are in thousandths, as in gRPC's core, so no sum depends on rounding.
///
/// All requests of a client share one instance.
public final class RetryThrottle: Sendable {
  private let maximum: Int
  private let ratio: Int
  /// The buckets that are not full, in thousandths of a token.
  private let buckets = Mutex<[String: Int]>([:])

  /// Creates full buckets.
  ///
  /// - Parameters:
  ///   - maximumTokens: the size of a bucket, from 1 to 1000, as in gRPC.
  ///   - tokenRatio: the tokens that a success adds; above 0, to three decimals.
  public init(maximumTokens: Int = 10, tokenRatio: Double = 0.1) {
    precondition((1...1000).contains(maximumTokens), "the maximum of tokens is from 1 to 1000")
    precondition(tokenRatio > 0 && tokenRatio <= 1000, "a success adds more than 0 and at most 1000 tokens")
    maximum = maximumTokens * 1000
    // 1.005 * 1000 is a little less than 1005, so the ratio is rounded before its further decimals are dropped.
    ratio = max(1, Int((tokenRatio * 1e9).rounded()) / 1_000_000)
  }

  /// How many thousandths of a token a server's bucket holds.
  public func thousandths(host: String = "") -> Int {
    buckets.withLock { $0[host] ?? maximum }
  }

  /// Returns whether a request to this server may be retried or hedged: more than half of the tokens are left.
  public func allowsRetry(host: String = "") -> Bool {
    thousandths(host: host) > maximum / 2
  }

  /// Removes a token after a failed attempt.
  public func recordFailure(host: String = "") {
    buckets.withLock { set(max(0, ($0[host] ?? maximum) - 1000), of: host, in: &$0) }
  }

  /// Adds `tokenRatio` after a successful attempt.
  public func recordSuccess(host: String = "") {
    buckets.withLock { set(min(maximum, ($0[host] ?? maximum) + ratio), of: host, in: &$0) }
  }

  var serverCount: Int { buckets.withLock { $0.count } }

  private func set(_ tokens: Int, of host: String, in buckets: inout [String: Int]) {
    buckets[host] = tokens < maximum ? tokens : nil
    buckets.forgetLeast(except: host) { -$0 }
  }

  /// Counts a success, a transient failure or a pushback; other outcomes say nothing about the server's load.
  func record(_ attempt: RetryAttempt, host: String) {
    if attempt.outcomeClass == .success {
      recordSuccess(host: host)
    } else if attempt.outcomeClass == .transientFailure || Pushback(attempt) == .stop {
      recordFailure(host: host)
    }
  }
}

/// A policy that neither retries nor hedges while its throttle is low on tokens.
private struct ThrottledPolicy: WrappingPolicy {
  let base: any RetryPolicy
  let throttle: RetryThrottle

  func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    throttle.allowsRetry(host: request.host) && base.grants(plan, of: request)
  }

  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    throttle.record(attempt, host: request.host)
    base.didFinish(attempt, of: request)
  }
}

extension RetryPolicy {
  /// This policy, which retries and hedges only while a throttle has enough tokens.
  public func throttled(by throttle: RetryThrottle) -> some WrappingPolicy {
    ThrottledPolicy(base: self, throttle: throttle)
  }
}
