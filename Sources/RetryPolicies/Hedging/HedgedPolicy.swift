import Internals

/// A policy that also starts another attempt beside one that takes long, and takes the first that succeeds.
///
/// Dean and Barroso, "The Tail at Scale", 2013: a second request after the 95th percentile of the expected latency cuts
/// the tail for about 5 % more load. An attempt and those beside it are one round, which has failed when all of them have:
/// what follows then is up to the wrapped policy. A hedge shortens a slow answer, and does not take the place of a retry.
public struct HedgedPolicy: WrappingPolicy {
  /// How long after an attempt the next one starts.
  public enum Delay: Sendable, CustomStringConvertible {
    /// Always so long.
    case time(Duration)
    /// As long as a percentile of the attempts before; none starts until there is one.
    case percentile(LatencyPercentile)

    /// Such as `after 1 s`, or `after p95`.
    public var description: String {
      switch self {
      case .time(let time): "after \(FigureText.time(nanoseconds: time.wholeNanoseconds))"
      case .percentile(let latencies): "after p\(FigureText.digits(latencies.percentile))"
      }
    }
  }

  /// The policy that decides after rounds that failed.
  public let base: any RetryPolicy
  /// How long after an attempt the next one starts.
  public let delay: Delay
  /// How many there may be beside the first attempt of a round.
  public let copies: Int

  /// The rules of the wrapped policy; its maximum of attempts is one of rounds.
  public var rules: RetryRules {
    var rules = base.rules
    rules.maximumAttempts = rules.maximumAttempts.map { $0.multipliedReportingOverflow(by: copies + 1) }
      .map { $0.overflow ? .max : $0.partialValue }
    return rules
  }

  /// Waits for the rest of the round; then the wrapped policy decides.
  public func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    guard request.underWay.isEmpty else { return .wait }
    let rounds = request.attempts.count { $0.plan.kind != .hedge }
    if let most = base.rules.maximumAttempts, rounds >= most { return .stop }
    return base.decision(after: attempt, of: request, random: &random)
  }

  /// One delay after each attempt of a round, until it has all of its copies.
  public func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? {
    let plans = request.attempts.map(\.plan) + request.underWay + [plan]
    // Attempts are counted through, so that a round's are those from its first one on.
    let first = plans.filter { $0.kind != .hedge }.map(\.number).max() ?? plan.number
    guard plan.number - first < copies else { return nil }
    return switch delay {
    case .time(let time): time
    case .percentile(let latencies): latencies.time(host: request.host)
    }
  }

  /// Counts how long the attempt took.
  ///
  /// Hedges do not count, since only the quick ones are not given up. An attempt that was not answered counts where it had a hedge
  /// or lasted longer than the percentile.
  public func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    if case .percentile(let latencies) = delay, attempt.plan.kind != .hedge {
      let time = attempt.end - attempt.plan.start
      let others = request.attempts.map(\.plan) + request.underWay
      if attempt.verdict == .success {
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
  /// This policy, with others beside each attempt that has not ended after `delay`.
  ///
  /// The rules' methods apply: only what may be repeated is hedged.
  ///
  /// - Parameters:
  ///   - delay: how long after an attempt the next one starts.
  ///   - copies: how many there may be beside each attempt, from 1 on.
  public func hedged(after delay: Duration, copies: Int = 1) -> HedgedPolicy {
    precondition(delay >= .zero, "a delay is never negative")
    return hedged(.time(delay), copies)
  }

  /// This policy, with others beside each attempt that takes longer than a percentile of those before.
  ///
  /// - Parameters:
  ///   - latencies: the percentile, shared with other requests.
  ///   - copies: how many there may be beside each attempt, from 1 on.
  public func hedged(after latencies: LatencyPercentile, copies: Int = 1) -> HedgedPolicy {
    hedged(.percentile(latencies), copies)
  }

  private func hedged(_ delay: HedgedPolicy.Delay, _ copies: Int) -> HedgedPolicy {
    precondition((1...1_000).contains(copies), "a hedge is 1 to 1000 copies")
    return HedgedPolicy(base: self, delay: delay, copies: copies)
  }
}
