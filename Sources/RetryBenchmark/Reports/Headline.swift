import HTMLPages

extension RetryReport {
  /// What the figures of a profile come to, in one sentence.
  ///
  /// The best is the contender with the most successes; those that chance could have put behind it are as good, and of
  /// them the one with the fewest attempts is named.
  public func headline(of profile: String) -> String {
    let metrics = results.filter { $0.profile == profile && $0.success.total > 0 }
    guard let best = metrics.max(by: { ($0.success.rate ?? 0) < ($1.success.rate ?? 0) }) else {
      return "Under \(profile) no request was made."
    }
    guard metrics.count > 1 else {
      return "Under \(profile), \(Self.share(best)) of requests succeed with \(best.policy)\(Self.cost(best))."
    }
    let equals = metrics.filter { other in
      guard other.policy != best.policy else { return true }
      return PolicyFigures(other, against: best).difference.map { !$0.isBeyondNoise } ?? false
    }
    if equals.count == metrics.count, metrics.allSatisfy({ $0.success == best.success }) {
      let cheapest = Self.cheapest(metrics)
      return "Under \(profile), all \(metrics.count) policies succeed alike, with \(Self.share(best)) of requests; "
        + "\(cheapest.policy) needs the fewest attempts\(Self.cost(cheapest))."
    }
    if equals.count == metrics.count {
      return "Under \(profile), no policy is better than another beyond noise: \(Self.share(best)) of requests succeed "
        + "at most, with \(best.policy)."
    }
    let choice = Self.cheapest(equals)
    let worst = metrics.min { ($0.success.rate ?? 0) < ($1.success.rate ?? 0) } ?? best
    let others = equals.count - 1
    let rivals = others == 0 ? "" : "; \(others) other\(others == 1 ? " does" : "s do") as well within noise"
    return "Under \(profile), \(choice.policy) brings \(Self.share(choice)) of requests through (\(worst.policy): "
      + "\(Self.share(worst)))\(Self.cost(choice))\(rivals)."
  }

  private static func cheapest(_ metrics: [PolicyMetrics]) -> PolicyMetrics {
    metrics.enumerated().min {
      ($0.element.amplification ?? 0, $0.offset) < ($1.element.amplification ?? 0, $1.offset)
    }!.element
  }

  private static func share(_ metrics: PolicyMetrics) -> String {
    "\(FigureText.percent(metrics.success.rate ?? 0)) %"
  }

  private static func cost(_ metrics: PolicyMetrics) -> String {
    metrics.amplification.map { " at \(FigureText.digits($0)) attempt\($0 == 1 ? "" : "s") per request" } ?? ""
  }
}
