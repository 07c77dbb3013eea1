import Internals

/// A policy that starts copies of a slow attempt and takes the first that succeeds.
///
/// A second request after the 95th percentile of the expected latency cuts the tail for about 5 % more load (Dean and
/// Barroso, "The Tail at Scale", 2013). An attempt and its hedges form a round. A round has failed when all of its attempts
/// have failed; then the wrapped policy decides. Hedging shortens slow answers; it does not replace retries.
struct HedgedPolicy: WrappingPolicy {
  /// How long after an attempt the next one starts.
  enum Delay: Sendable, CustomStringConvertible {
    /// A fixed time.
    case time(Duration)
    /// A percentile of the earlier attempts; without enough attempts no hedge starts.
    case percentile(LatencyPercentile)

    /// The delay in words, such as `after 1 s`, or `after p95`.
    var description: String {
      switch self {
      case .time(let time): "after \(FigureText.time(nanoseconds: time.wholeNanoseconds))"
      case .percentile(let latencies): "after p\(FigureText.digits(latencies.percentile))"
      }
    }
  }

  let base: any RetryPolicy
  let delay: Delay
  let copies: Int

  /// The rules of the wrapped policy, whose maximum of attempts limits the rounds here.
  var rules: RetryRules {
    var rules = base.rules
    rules.maximumAttempts = rules.maximumAttempts.map { $0.multipliedReportingOverflow(by: copies + 1) }
      .map { $0.overflow ? .max : $0.partialValue }
    return rules
  }

  func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    guard request.underWay.isEmpty else { return .wait }
    let rounds = request.attempts.count { $0.plan.kind != .hedge }
    if let most = base.rules.maximumAttempts, rounds >= most { return .stop }
    return base.decision(after: attempt, of: request, random: &random)
  }

  func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? {
    let plans = request.attempts.map(\.plan) + request.underWay + [plan]
    // Attempts are numbered across rounds, so a round's numbers begin with its first attempt.
    let first = plans.filter { $0.kind != .hedge }.map(\.number).max() ?? plan.number
    guard plan.number - first < copies else { return nil }
    return switch delay {
    case .time(let time): time
    case .percentile(let latencies): latencies.time(host: request.host)
    }
  }

  /// Adds the attempt's latency to the percentile.
  ///
  /// Hedges are left out: slow ones are cancelled, so the sample would be biased. An attempt without an answer counts as slow
  /// if it had a hedge or lasted longer than the percentile.
  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    if case .percentile(let latencies) = delay, attempt.plan.kind != .hedge {
      let time = attempt.end - attempt.plan.start
      let others = request.attempts.map(\.plan) + request.underWay
      if attempt.outcomeClass == .success {
        latencies.record(time, host: request.host)
      } else if others.contains(where: { $0.kind == .hedge && $0.number > attempt.number })
        || latencies.time(host: request.host).map({ time > $0 }) == true
      {
        latencies.record(nil, host: request.host)
      }
    }
    base.didFinish(attempt, of: request)
  }
}

extension RetryPolicy {
  /// This policy, with hedges for each attempt that has not ended after `delay`.
  ///
  /// Only requests that the rules allow to repeat are hedged.
  ///
  /// - Parameters:
  ///   - delay: how long after an attempt the next one starts.
  ///   - copies: how many hedges each attempt may have, from 1 to 1000.
  public func hedged(after delay: Duration, copies: Int = 1) -> some WrappingPolicy {
    precondition(delay >= .zero, "a delay is never negative")
    return hedged(.time(delay), copies)
  }

  /// This policy, with hedges for each attempt that takes longer than a percentile of the earlier ones.
  ///
  /// - Parameters:
  ///   - latencies: the percentile, shared with other requests.
  ///   - copies: how many hedges each attempt may have, from 1 to 1000.
  public func hedged(after latencies: LatencyPercentile, copies: Int = 1) -> some WrappingPolicy {
    hedged(.percentile(latencies), copies)
  }

  private func hedged(_ delay: HedgedPolicy.Delay, _ copies: Int) -> HedgedPolicy {
    precondition((1...1_000).contains(copies), "a hedge is 1 to 1000 copies")
    return HedgedPolicy(base: self, delay: delay, copies: copies)
  }
}
