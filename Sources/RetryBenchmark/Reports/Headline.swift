import HTMLPages
import Internals

extension RetryReport {
  /// The figures of a profile summed up in one sentence, and further ones on effects and on recovery.
  ///
  /// A policy that carries requests out twice is never the best, unless all are such: what is paid twice is no success. Of the
  /// others the best is the contender with the most successes; those that chance could have put behind it are as good. Of them
  /// the sentence names those with the fewest attempts, and of these the ones with the least waiting. Noise decides neither.
  /// Where another one that is as good answers sooner, for more attempts, the sentence calls none the best, and names the trade.
  /// Where too few seeds leave open whether a cheaper policy is as good, it says so.
  public func headline(of profile: String) -> String {
    guard let verdict = Verdict(self, profile) else { return "Under \(profile) no request was made." }
    return ([choice(verdict, profile)] + repeats(verdict) + [unreported(verdict), recovery(verdict)].compactMap { $0 })
      .joined(separator: " ")
  }

  private func choice(_ verdict: Verdict, _ profile: String) -> String {
    let (choices, all) = (verdict.choices, verdict.judged)
    let names = Self.list(choices.map(\.policy))
    let cost = "\(Self.shares(choices)) of requests succeed\(Self.cost(choices))"
    if all.count == 1 { return "Under \(profile), with \(names), \(cost)." }
    guard verdict.canTell else {
      return "Under \(profile), \(FigureText.count(verdict.seeds, "seed")) cannot tell policies apart, "
        + "\(PairedComparison.leastSeeds) are the least: between \(Self.shares([verdict.worst])) "
        + "(\(verdict.worst.policy)) and \(Self.shares([verdict.best])) (\(verdict.best.policy)) of requests succeed."
    }
    if let (rival, needed) = verdict.undecided {
      let seeds = FigureText.count(verdict.seeds, "seed")
      return "Under \(profile), \(seeds) cannot tell whether \(rival.policy) does as well as "
        + "\(verdict.best.policy): \(Self.shares([rival])) of requests succeed\(Self.cost([rival])), and "
        + "\(Self.shares([verdict.best]))\(Self.cost([verdict.best])). About \(Self.rounded(needed)) seeds would tell."
    }
    let far =
      verdict.open.map(\.seeds).max().map {
        ", as far as \(FigureText.grouped(verdict.seeds)) seeds can tell (about \(Self.rounded($0)) would)"
      } ?? ""
    if choices.count == all.count {
      return "Under \(profile), \(all.count == 2 ? "both" : "all \(all.count)") policies do alike\(far): \(cost)."
    }
    let (does, need, alike) = choices.count == 1 ? ("does", "needs", "") : ("do", "need", ", and alike")
    let trade = verdict.sooner.map(self.trade) ?? ""
    let best = "\(names) \(trade.isEmpty ? "\(does) best" : "\(need) the fewest attempts")\(alike)\(far)"
    if verdict.equals.count == all.count {
      let success =
        verdict.equals.contains { isKnown($0, verdict.best) }
        ? "differs by less than matters, and what it costs by more"
        : "does not tell the policies apart, but what it costs does"
      return "Under \(profile), success \(success): \(best); \(cost)\(trade)."
    }
    let other = verdict.equals.contains { $0.policy == all[0].policy } ? verdict.worst : all[0]
    return "Under \(profile), \(best): \(cost); with \(other.policy), \(Self.shares([other]))\(Self.cost([other]))"
      + (choices.count == 1
        ? Self.failures(
          of: other, beside: choices[0],
          other.compared(to: choices[0], by: .successRate, confidence: confidence)) : "") + "\(trade)."
  }

  /// What another policy, which succeeds as often, gives for its attempts: it answers sooner.
  private func trade(_ sooner: Verdict.Sooner) -> String {
    let (other, choice) = (sooner.metrics, sooner.choice)
    let times = [other, choice].map { metrics in
      let time = metrics.timeToAnswer(sooner.share)?.value ?? .infinity
      return time.isFinite ? "within \(FigureText.digits(time)) s" : "never"
    }
    let more = (other.amplification ?? 0) - (choice.amplification ?? 0)
    let price = more > 0 ? ", for \(FigureText.digits(more)) more attempts each" : ""
    return
      "; \(other.policy) answers \(FigureText.percent(sooner.share)) % \(times[0]), \(choice.policy) \(times[1])\(price)"
  }

  /// How many times the failures of one policy another has, where successes are so many that their shares do not show it.
  static func failures(of one: PolicyMetrics, beside other: PolicyMetrics, _ pair: PairedComparison?) -> String {
    let shares = [one, other].map { 1 - ($0.success.rate ?? 1) }
    guard shares[1] > 0, shares[1] < 0.1, shares[0] > shares[1], let ratio = pair?.failureRatio else { return "" }
    let (low, high) = (ratio.interval.lowerBound, ratio.interval.upperBound)
    let ends =
      high.isFinite ? "\(FigureText.digits(low)) to \(FigureText.digits(high))" : "\(FigureText.digits(low)) or more"
    return ", \(FigureText.digits(ratio.value)) times the failures (\(ends))"
  }

  /// How many requests policies report as failed that the server carried out.
  private func unreported(_ verdict: Verdict) -> String? {
    let some = verdict.all.compactMap { metrics in
      metrics.estimate(of: .unreportedEffects, confidence: confidence).map { (policy: metrics.policy, share: $0) }
    }.filter { $0.share.value > 0 }
    guard !some.isEmpty else { return nil }
    func range(_ values: [Double]) -> String {
      let ends = [values.min() ?? 0, values.max() ?? 0].map { FigureText.digits($0 * 1_000) }
      return ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")
    }
    let ends = some.flatMap { [$0.share.interval.lowerBound, $0.share.interval.upperBound] }
    return
      "With \(Self.list(some.map(\.policy))) \(range(some.map(\.share.value))) of 1,000 requests (\(range(ends))) are "
      + "carried out and reported as failed, as if an order were paid and then called off."
  }

  /// Which policies bring the server back to where 99 of 100 requests succeed, after it was down or slow.
  private func recovery(_ verdict: Verdict) -> String? {
    guard server.hasTroubles, verdict.all.allSatisfy({ $0.recovery.count > 0 }) else { return nil }
    let never = verdict.all.filter { $0.recovery.toSuccess.count == 0 }
    let some = verdict.all.filter { $0.recovery.toSuccess.count > 0 }.map { metrics in
      (metrics: metrics, seconds: metrics.recovery.toSuccess.quantile(0.5)?.inSeconds ?? 0)
    }
    let times = some.map(\.seconds).sorted()
    let areAlike =
      some.count > 1 && some.allSatisfy { $0.metrics.recovery.neverRecovered == 0 }
      && times[times.count - 1] < times[0] + max(0.1, times[0] / 5)
    func text(_ seconds: Double) -> String { FigureText.digits(seconds, atMost: 2) }
    let others =
      areAlike
      ? ["\(Self.list(some.map(\.metrics.policy))) recover in about \(text(times[times.count / 2])) s"]
      : some.map { metrics, seconds in
        let (known, all) = (metrics.recovery.toSuccess.count, metrics.recovery.count)
        let share = known == all ? "" : " in \(FigureText.grouped(known)) of \(FigureText.grouped(all)) cases"
        return "\(metrics.policy) recovers in \(text(seconds)) s\(share)"
      }
    let rest =
      never.isEmpty ? [] : ["\(Self.list(never.map(\.policy))) \(never.count == 1 ? "does" : "do") not recover"]
    return "After the server was \(server.troubleText), \((others + rest).joined(separator: "; "))."
  }

  /// How often policies carry requests out twice that are not idempotent, for each that does.
  private func repeats(_ verdict: Verdict) -> [String] {
    verdict.all.filter { $0.repeatedEffects > 0 }.compactMap { metrics in
      guard let share = metrics.estimate(of: .repeatedEffects, confidence: confidence) else { return nil }
      let ends = [share.interval.lowerBound, share.interval.upperBound].map { FigureText.digits($0 * 1_000) }
      let leftOut = verdict.repeating.isEmpty ? "" : "\(metrics.policy) is left out, with \(Self.shares([metrics])). "
      return "\(leftOut)With \(leftOut.isEmpty ? metrics.policy : "it") the server carries "
        + "\(FigureText.digits(share.value * 1_000)) of 1,000 requests out twice (\(ends.joined(separator: " to "))), as if an order "
        + "were paid twice."
    }
  }

  /// The findings beside the headline, one sentence for each: what these seeds leave open, whether the limits of the
  /// policies differ, and how those that bring as many requests through as the best differ from it in cost.
  public func findings(of profile: String) -> [String] {
    guard let verdict = Verdict(self, profile), let choice = verdict.choices.first else { return [] }
    guard verdict.canTell else { return [limitsText(profile)].compactMap { $0 } }
    let costs = verdict.equals.filter { other in !verdict.choices.contains { $0.policy == other.policy } }.map {
      other in
      let parts = [
        Self.attempts(Verdict.difference(other, choice, .amplification, confidence)), waiting(other, choice),
      ].compactMap { $0 }
      let how = isKnown(other, choice) ? "but for less than matters" : "within noise"
      return "\(other.policy) succeeds as often as \(choice.policy) \(how): \(parts.joined(separator: ", "))."
    }
    return [decisionText, openText(verdict), limitsText(profile)].compactMap { $0 } + costs
      + [waitingText(verdict)].compactMap { $0 }
  }

  /// The findings that hold under several profiles in the same words, each with those profiles.
  ///
  /// Said under each profile they would hide the others.
  package var sharedFindings: [(text: String, profiles: [String])] {
    guard profiles.count > 1 else { return [] }
    var found: [(text: String, profiles: [String])] = []
    for profile in profiles {
      for text in findings(of: profile) {
        if let known = found.firstIndex(where: { $0.text == text }) {
          found[known].profiles.append(profile)
        } else {
          found.append((text, [profile]))
        }
      }
    }
    return found.filter { $0.profiles.count > 1 }
  }

  /// The shared findings in sentences, which name their profiles unless these are all.
  package var sharedFindingsText: [String] {
    sharedFindings.map { $0.profiles.count == profiles.count ? $0.text : "Under \(Self.list($0.profiles)): \($0.text)" }
  }

  /// The findings of a profile that hold under no other in the same words.
  package func ownFindings(of profile: String) -> [String] {
    let shared = Set(sharedFindings.map(\.text))
    return findings(of: profile).filter { !shared.contains($0) }
  }

  /// Whether the seeds tell the successes of two contenders apart, by however little.
  private func isKnown(_ one: PolicyMetrics, _ other: PolicyMetrics) -> Bool {
    one.compared(to: other, by: .successRate, confidence: confidence)?.isBeyondNoise ?? false
  }

  /// How many seeds it takes to compare what callers wait, where these are too few.
  private func waitingText(_ verdict: Verdict) -> String? {
    let needed = verdict.all.dropFirst().compactMap {
      $0.compared(to: verdict.all[0], by: .wait, confidence: confidence)?.seedsNeeded
    }.max()
    return needed.map {
      "Waiting is compared from \(FigureText.grouped($0)) seeds on: a few requests decide it, which fewer seeds may never meet."
    }
  }

  /// The comparisons that these seeds leave open, and how many seeds would tell.
  private func openText(_ verdict: Verdict) -> String? {
    guard let most = verdict.open.map(\.seeds).max() else { return nil }
    let names = verdict.open.map(\.metrics.policy)
    return "\(verdict.seeds) seeds leave open whether \(Self.list(names)) "
      + "differ\(names.count == 1 ? "s" : "") from \(verdict.best.policy) in success by as much as matters: "
      + "about \(Self.rounded(most)) seeds would tell."
  }

  /// Whether policies go differently far, which is then what they are compared in.
  func limitsText(_ profile: String) -> String? {
    // Who never tries again has no limits to speak of.
    let known = results.filter { $0.profile == profile && $0.limits.map { $0.attempts != 1 } ?? false }
    let groups = Dictionary(grouping: known) { $0.limits?.text ?? "" }
    guard groups.count > 1 else { return nil }
    let parts = groups.map { (text: $0, names: $1.map(\.policy)) }.sorted {
      (policies.firstIndex(of: $0.names[0]) ?? 0) < (policies.firstIndex(of: $1.names[0]) ?? 0)
    }
    let list = parts.map { "\(Self.list($0.names)) \($0.text)" }.joined(separator: "; ")
    return "Their limits differ, and with them all that follows: \(list). Compare them at equal limits (--equal)."
  }

  /// The outcome of a run that went on until it was decided.
  var decisionText: String? {
    guard let decision else { return nil }
    let count = decision.design.comparisons
    let share =
      "with a chance of at most 5 % that \(count == 1 ? "the comparison" : "any of \(count) comparisons") is called wrongly at "
      + "\(decision.design.looks.count == 1 ? "the only look" : "any of \(decision.design.looks.count) looks")"
    return decision.isDecided
      ? "Decided after \(seeds.count) seeds, \(share)."
      : "Not decided after \(seeds.count) seeds, \(share): raise the limit of seeds."
  }

  private static func attempts(_ difference: PolicyFigures.Difference?) -> String {
    guard let difference else { return "attempts alike" }
    return "\(FigureText.digits(abs(difference.mean))) \(difference.mean > 0 ? "more" : "fewer") attempts each "
      + "(\(range(difference)))"
  }

  /// How waiting differs; `nil` where these seeds are too few to say.
  private func waiting(_ one: PolicyMetrics, _ other: PolicyMetrics) -> String? {
    if one.compared(to: other, by: .wait, confidence: confidence)?.seedsNeeded != nil { return nil }
    guard let difference = Verdict.difference(one, other, .wait, confidence) else { return "waiting alike" }
    return "\(FigureText.digits(abs(difference.mean))) s \(difference.mean > 0 ? "more" : "less") waiting per answer "
      + "(\(Self.range(difference)))"
  }

  private static func range(_ difference: PolicyFigures.Difference) -> String {
    [difference.interval.lowerBound, difference.interval.upperBound].map(abs).sorted().map { FigureText.digits($0) }
      .joined(separator: " to ")
  }

  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  private static func shares(_ metrics: [PolicyMetrics]) -> String {
    let rates = metrics.compactMap(\.success.rate)
    let (low, high) = (FigureText.percent(rates.min() ?? 0), FigureText.percent(rates.max() ?? 0))
    return low == high ? "\(low) %" : "\(low) to \(high) %"
  }

  private static func cost(_ metrics: [PolicyMetrics]) -> String {
    let all = metrics.compactMap(\.amplification)
    guard let least = all.min(), let most = all.max() else { return "" }
    let (low, high) = (FigureText.digits(least), FigureText.digits(most))
    return " at \(low == high ? low : "\(low) to \(high)") attempt\(most == 1 ? "" : "s") each"
  }

  /// A number to two digits, since it is an estimate of a need.
  static func rounded(_ count: Int) -> String {
    var scale = 1
    while count / scale >= 100 { scale *= 10 }
    let rounded = (count + scale - 1) / scale * scale
    return rounded > 10_000_000 ? "more than 10 million" : FigureText.grouped(rounded)
  }
}
