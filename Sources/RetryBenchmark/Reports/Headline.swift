import HTMLPages
import Internals

extension RetryReport {
  /// The figures of a profile summed up in one sentence.
  ///
  /// The best is the contender with the most successes; those that chance could have put behind it are as good. Of them
  /// those are named that need the fewest attempts and, of these, take the least time, as far as either is beyond noise.
  public func headline(of profile: String) -> String {
    guard let verdict = Verdict(self, profile) else { return "Under \(profile) no request was made." }
    let (choices, all) = (verdict.choices, verdict.all)
    let names = Self.list(choices.map(\.policy))
    let cost = "\(Self.shares(choices)) of requests succeed\(Self.cost(choices[0]))"
    if all.count == 1 { return "Under \(profile), with \(names), \(cost)." }
    if choices.count == all.count { return "Under \(profile), all \(all.count) policies do alike: \(cost)." }
    let best = "\(names) \(choices.count == 1 ? "does" : "do") best\(choices.count == 1 ? "" : ", and alike")"
    if verdict.equals.count == all.count {
      return "Under \(profile), success does not tell the policies apart, but what it costs does: \(best); \(cost)."
    }
    let other = verdict.equals.contains { $0.policy == all[0].policy } ? verdict.worst : all[0]
    return "Under \(profile), \(best): \(cost); with \(other.policy), \(Self.shares([other]))."
  }

  /// How those that bring as many requests through as the best differ from it, one sentence for each.
  public func findings(of profile: String) -> [String] {
    guard let verdict = Verdict(self, profile), let choice = verdict.choices.first else { return [] }
    return verdict.equals.filter { other in !verdict.choices.contains { $0.policy == other.policy } }.map { other in
      let parts = [
        Self.attempts(Verdict.difference(other, choice, .amplification)),
        Self.time(Verdict.difference(other, choice, .meanLatency)),
      ]
      return "\(other.policy) succeeds as often as \(choice.policy) within noise: \(parts.joined(separator: ", "))."
    }
  }

  private static func attempts(_ difference: PolicyFigures.Difference?) -> String {
    guard let difference else { return "attempts alike" }
    return "\(FigureText.digits(abs(difference.mean))) \(difference.mean > 0 ? "more" : "fewer") attempts each "
      + "(\(range(difference)))"
  }

  private static func time(_ difference: PolicyFigures.Difference?) -> String {
    guard let difference else { return "time alike" }
    return "\(FigureText.digits(abs(difference.mean))) s \(difference.mean > 0 ? "slower" : "faster") in the mean "
      + "(\(range(difference)))"
  }

  private static func range(_ difference: PolicyFigures.Difference) -> String {
    [difference.interval.lowerBound, difference.interval.upperBound].map(abs).sorted().map(FigureText.digits)
      .joined(separator: " to ")
  }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  private static func shares(_ metrics: [PolicyMetrics]) -> String {
    let rates = metrics.compactMap(\.success.rate)
    let (low, high) = (FigureText.percent(rates.min() ?? 0), FigureText.percent(rates.max() ?? 0))
    return low == high ? "\(low) %" : "\(low) to \(high) %"
  }

  private static func cost(_ metrics: PolicyMetrics) -> String {
    metrics.amplification.map { " at \(FigureText.digits($0)) attempt\($0 == 1 ? "" : "s") each" } ?? ""
  }
}
