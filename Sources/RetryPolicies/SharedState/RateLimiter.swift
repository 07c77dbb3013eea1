import Foundation
import Internals

/// Limits the rate of attempts once a server has refused some as too many: the adaptive mode of AWS's SDKs.
///
/// No attempt waits until a server answers 429 or 503 (S3's "Slow Down"). From then on each attempt takes a token. A refusal
/// lowers the token rate. Successes raise it along a cubic curve: fast at first, slow near the old rate, then fast again.
///
/// All requests of a client share one instance, which keeps a rate per server.
public final class RateLimiter: Sendable {
  private let rates = Mutex<[String: AdaptiveRate]>([:])

  /// Creates a limiter that lets everything through until a server refuses something.
  public init() {}

  /// Returns how long an attempt must still wait for a token; zero means that it took one.
  public func wait(host: String = "", at time: Duration) -> Duration {
    rates.withLock { rates in
      guard let wait = rates[host]?.take(at: time / .seconds(1)), wait > 0 else { return .zero }
      return .nanoseconds(Int64((wait * 1e9).rounded(.up)))
    }
  }

  /// Records the end of an attempt, and whether the server refused it because of its request rate.
  public func record(isRefused: Bool, host: String = "", at time: Duration) {
    rates.withLock { rates in
      rates[host, default: AdaptiveRate(at: time / .seconds(1))].record(isRefused: isRefused, at: time / .seconds(1))
      rates.forgetLeast(except: host, by: \.slot)
    }
  }

  var serverCount: Int { rates.withLock { $0.count } }
}

/// The rate of attempts to one server; times are in seconds.
///
/// The formulas and constants are those of botocore's `retries/adaptive.py`, `throttling.py` and `bucket.py`, which all SDKs of
/// AWS share. The growth is that of TCP CUBIC (RFC 9438, section 4.2).
struct AdaptiveRate {
  /// The factor that a refusal applies to the rate (CUBIC's beta).
  private static let decrease = 0.7
  /// The coefficient of the cubic growth (CUBIC's C).
  private static let growth = 0.4
  /// The weight of the newest half second in the measured rate.
  private static let smoothing = 0.8
  private static let leastRate = 0.5

  /// The smoothed number of attempts that end per second.
  private(set) var measured = 0.0
  /// Tokens added per second.
  private(set) var rate = leastRate
  /// The start of the half second in which the newest attempt ended.
  private(set) var slot: Double
  private var count = 0
  private var isLimited = false
  private var rateAtRefusal = 0.0
  private var timeOfRefusal = 0.0
  private var tokens = 0.0
  private var mostTokens = 1.0
  private var filled: Double

  init(at time: Double) {
    slot = (time * 2).rounded(.down) / 2
    filled = time
  }

  /// Takes a token and returns 0, or returns the seconds until there is one.
  mutating func take(at time: Double) -> Double {
    guard isLimited else { return 0 }
    fill(at: time)
    // Waits are rounded to nanoseconds, so a token may be short by the amount added in one.
    guard tokens < 1 - 1e-6 else {
      tokens = max(0, tokens - 1)
      return 0
    }
    return (1 - tokens) / rate
  }

  mutating func record(isRefused: Bool, at time: Double) {
    measure(at: time)
    let wanted: Double
    if isRefused {
      rateAtRefusal = isLimited ? min(measured, rate) : measured
      timeOfRefusal = time
      isLimited = true
      wanted = rateAtRefusal * Self.decrease
    } else {
      wanted = grown(at: time)
    }
    fill(at: time)
    let new = min(wanted, 2 * measured)
    rate = max(new, Self.leastRate)
    mostTokens = max(new, 1)
    tokens = min(tokens, mostTokens)
  }

  /// The rate that CUBIC's curve gives for this time: it climbs back to the rate at the refusal, then beyond.
  private func grown(at time: Double) -> Double {
    let recovery = cbrt(rateAtRefusal * (1 - Self.decrease) / Self.growth)
    let distance = time - timeOfRefusal - recovery
    return Self.growth * distance * distance * distance + rateAtRefusal
  }

  private mutating func measure(at time: Double) {
    count += 1
    let now = (time * 2).rounded(.down) / 2
    guard now > slot else { return }
    measured = Double(count) / (now - slot) * Self.smoothing + measured * (1 - Self.smoothing)
    (count, slot) = (0, now)
  }

  private mutating func fill(at time: Double) {
    tokens = min(mostTokens, tokens + max(0, time - filled) * rate)
    filled = max(filled, time)
  }
}

/// A policy whose attempts wait for tokens of a rate limiter.
private struct RateLimitedPolicy: WrappingPolicy {
  let base: any RetryPolicy
  let limiter: RateLimiter

  func wait(before plan: AttemptPlan, of request: RetryRequest) -> Duration {
    let wait = limiter.wait(host: request.host, at: plan.start)
    return wait > .zero ? wait : base.wait(before: plan, of: request)
  }

  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    if attempt.outcomeClass != .abandoned {
      let isRefused = attempt.outcome.status.map { $0 == 429 || $0 == 503 } ?? false
      limiter.record(isRefused: isRefused, host: request.host, at: attempt.end)
    }
    base.didFinish(attempt, of: request)
  }
}

extension RetryPolicy {
  /// This policy, whose attempts are rate limited once a server has refused some as too many.
  public func rateLimited(by limiter: RateLimiter) -> some WrappingPolicy {
    RateLimitedPolicy(base: self, limiter: limiter)
  }
}
