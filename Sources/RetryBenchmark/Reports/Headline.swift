import HTMLPages
import Internals

extension RetryReport {
  /// The result under one profile in a few sentences: the best policies, repeated effects, and recovery.
  ///
  /// - A policy whose requests are carried out twice is never the best, unless this is true of all policies.
  /// - The best are the candidates with the most successes, or not known to have fewer. Of these it names those with
  ///   the fewest attempts, then the least wait.
  /// - If an equally good policy answers sooner, but with more attempts, the headline names this trade-off.
  /// - If the seeds are too few to judge a cheaper policy, the headline says so.
  public func headline(of profile: String) -> String {
    guard let ranking = Ranking(self, profile) else { return "Under \(profile) no request was made." }
    return (choice(ranking, profile) + repeats(ranking) + unreported(ranking) + [recovery(ranking)].compactMap { $0 })
      .joined(separator: " ")
  }

  private func choice(_ ranking: Ranking, _ profile: String) -> [String] {
    let (choices, all) = (ranking.choices, ranking.judged)
    let names = Self.list(choices.map(\.policy))
    let figures = "\(Self.shares(choices)) of requests succeed\(Self.cost(choices))"
    let seeds = FigureText.grouped(ranking.seeds)
    if all.count == 1 { return ["Under \(profile), with \(names), \(figures)."] }
    if ranking.best.success.successes == 0 { return ["Under \(profile), no request succeeds with any policy."] }
    guard ranking.canTell else {
      let (least, most) = (Self.shares([ranking.worst]), Self.shares([ranking.best]))
      return [
        "Under \(profile), \(FigureText.count(ranking.seeds, "seed")) cannot tell policies apart: it takes "
          + "at least \(PairedComparison.leastSeeds).",
        least == most
          ? "\(most) of requests succeed with each."
          : "Between \(least) (\(ranking.worst.policy)) and \(most) (\(ranking.best.policy)) of requests succeed.",
      ]
    }
    if let (rival, needed) = ranking.undecided {
      return [
        "Under \(profile), \(seeds) seeds cannot tell whether \(rival.policy) does as well as \(ranking.best.policy).",
        Self.success(rival), Self.success(ranking.best), "About \(Self.rounded(needed)) seeds would tell.",
      ] + less(ranking)
    }
    let open =
      ranking.open.map(\.seeds).max().map {
        ["\(seeds) seeds leave open whether one succeeds more often; about \(Self.rounded($0)) would tell."]
      } ?? []
    if choices.count == all.count {
      let alike =
        open.isEmpty
        ? "\(all.count == 2 ? "both" : "all \(all.count)") policies do equally well" : "no policy is known to do better"
      return ["Under \(profile), \(alike): \(figures)."] + open
    }
    let (does, need) = choices.count == 1 ? ("does", "needs") : ("do", "need")
    let trade = ranking.sooner.map(trade)
    let well = open.isEmpty ? "\(does) best" : "\(does) best so far"
    let best = "Under \(profile), \(names) \(trade == nil ? well : "\(need) the fewest attempts"): \(figures)."
    return [best, comparison(ranking)] + [trade].compactMap { $0 } + open
  }

  /// How the policies that are not chosen compare: as successful but dearer, or less successful.
  private func comparison(_ ranking: Ranking) -> String {
    let (choices, all) = (ranking.choices, ranking.judged)
    guard ranking.equals.count < all.count else {
      return ranking.equals.contains { isKnown($0, ranking.best) }
        ? "Success differs by less than matters, and the cost by more."
        : "Success does not tell the policies apart, but the cost does."
    }
    let other = ranking.equals.contains { $0.policy == all[0].policy } ? ranking.worst : all[0]
    guard choices.count == 1 else { return Self.success(other) }
    let pair = other.compared(to: choices[0], by: .successRate, confidence: confidence)
    return Self.success(other, Self.failures(of: other, beside: choices[0], pair))
  }

  /// A sentence on the policies that are known to succeed less than the best, while others are undecided.
  private func less(_ ranking: Ranking) -> [String] {
    let worse = ranking.judged.filter { one in !ranking.equals.contains { $0.policy == one.policy } }
    return worse.isEmpty
      ? [] : ["Known to succeed less: \(Self.list(worse.map { "\($0.policy) (\(Self.shares([$0])))" }))."]
  }

  /// A sentence on a policy that succeeds as often and answers sooner, with more attempts.
  private func trade(_ sooner: Ranking.Sooner) -> String {
    let (other, choice) = (sooner.metrics, sooner.choice)
    let times = [other, choice].map { metrics in
      let time = metrics.timeToAnswer(sooner.share)?.value ?? .infinity
      return time.isFinite ? "within \(FigureText.digits(time)) s" : "never"
    }
    let more = (other.amplification ?? 0) - (choice.amplification ?? 0)
    let price = more > 0 ? "; that takes \(FigureText.digits(more)) more attempts each" : ""
    return
      "\(other.policy) answers \(FigureText.percent(sooner.share)) % \(times[0]), \(choice.policy) \(times[1])\(price)."
  }

  /// The failures of `one` as a multiple of `other`'s, with the interval; empty if the success rates suffice.
  static func failures(of one: PolicyMetrics, beside other: PolicyMetrics, _ pair: PairedComparison?) -> String {
    let shares = [one, other].map { 1 - ($0.success.rate ?? 1) }
    guard shares[1] > 0, shares[1] < 0.1, shares[0] > shares[1], let ratio = pair?.failureRatio else { return "" }
    let (low, high) = (ratio.interval.lowerBound, ratio.interval.upperBound)
    let ends =
      high.isFinite ? "\(FigureText.digits(low)) to \(FigureText.digits(high))" : "\(FigureText.digits(low)) or more"
    return ", \(FigureText.digits(ratio.value)) times the failures (\(ends))"
  }

  /// The sentences on requests that the server carried out and that failed for their callers.
  private func unreported(_ ranking: Ranking) -> [String] {
    let some = ranking.all.compactMap { metrics -> (text: String, name: String)? in
      guard let share = metrics.estimate(of: .unreportedEffects, confidence: confidence), share.value > 0 else {
        return nil
      }
      return (
        "\(FigureText.digits(share.value * 1_000)) of 1,000 (\(Self.thousandths(share.interval)))", metrics.policy
      )
    }
    guard !some.isEmpty else { return [] }
    let list = Self.grouped(some).map { "\($0.text) with \(Self.list($0.names))" }.joined(separator: ", ")
    return [
      "Some requests fail for the caller although the server carries them out: \(list).",
      "That is as if an order were paid and then called off.",
    ]
  }

  /// A sentence on how soon 99 % of requests succeed with each policy, after the server was down or slow.
  private func recovery(_ ranking: Ranking) -> String? {
    guard server.hasTroubles, ranking.all.allSatisfy({ $0.recovery.count > 0 }) else { return nil }
    let never = ranking.all.filter { $0.recovery.toSuccess.count == 0 }
    let some = ranking.all.filter { $0.recovery.toSuccess.count > 0 }.map { metrics in
      (metrics: metrics, seconds: metrics.recovery.toSuccess.quantile(0.5)?.inSeconds ?? 0)
    }
    let times = some.map(\.seconds).sorted()
    let areAlike =
      some.count > 1 && some.allSatisfy { $0.metrics.recovery.neverRecovered == 0 }
      && times[times.count - 1] < times[0] + max(0.1, times[0] / 5)
    func text(_ seconds: Double) -> String { FigureText.digits(seconds, atMost: 2) }
    let others =
      areAlike
      ? ["in about \(text(times[times.count / 2])) s with \(Self.list(some.map(\.metrics.policy)))"]
      : some.map { metrics, seconds in
        let (known, all) = (metrics.recovery.toSuccess.count, metrics.recovery.count)
        let share = known == all ? "" : " in \(FigureText.grouped(known)) of \(FigureText.grouped(all)) cases"
        return "in \(text(seconds)) s\(share) with \(metrics.policy)"
      }
    let rest = never.isEmpty ? [] : ["with \(Self.list(never.map(\.policy)))"]
    let words =
      some.isEmpty
      ? "it does not recover \(rest.joined())"
      : "it recovers \((others + rest.map { "not at all \($0)" }).joined(separator: "; "))"
    return "After the server was \(server.troubleText), \(words)."
  }

  private func repeats(_ ranking: Ranking) -> [String] {
    let some = ranking.all.filter { $0.repeatedEffects > 0 }.compactMap { metrics -> String? in
      guard let share = metrics.estimate(of: .repeatedEffects, confidence: confidence) else { return nil }
      let subject =
        ranking.repeating.isEmpty ? "With \(metrics.policy) the server" : "\(metrics.policy) cannot be best: the server"
      return "\(subject) carries out \(FigureText.digits(share.value * 1_000)) of 1,000 requests twice or more "
        + "(\(Self.thousandths(share.interval))), as if an order were paid twice."
    }
    let none = ranking.choices.filter { !workload.isIdempotent && $0.repeatedEffects == 0 && $0.limits?.attempts != 1 }
    let most = none.compactMap { $0.estimate(of: .repeatedEffects, confidence: confidence)?.interval.upperBound }.max()
    guard let most, let requests = none.first?.success.total else { return some }
    return [
      "With \(Self.list(none.map(\.policy))) the server carries out 0 of \(FigureText.grouped(requests)) requests twice; "
        + "up to \(FigureText.digits(most * 1_000)) of 1,000 are not ruled out."
    ] + some
  }

  /// The ends of an interval in thousandths, such as `27.8 to 44`.
  private static func thousandths(_ interval: ClosedRange<Double>) -> String {
    [interval.lowerBound, interval.upperBound].map { FigureText.digits($0 * 1_000) }.joined(separator: " to ")
  }

  /// The findings beside the headline, one sentence each.
  ///
  /// They name the comparisons that stay open, differing limits of policies, and how other successful policies
  /// differ in cost.
  public func findings(of profile: String) -> [String] {
    guard let ranking = Ranking(self, profile), let choice = ranking.choices.first else { return [] }
    let limits = [limitsText(profile), ranking.hedges].compactMap { $0 }
    guard ranking.canTell else { return limits }
    let costs = ranking.equals.filter { other in !ranking.choices.contains { $0.policy == other.policy } }.map {
      other in
      let parts = [
        Self.attempts(Ranking.difference(other, choice, .amplification, confidence)), waiting(other, choice),
      ].compactMap { $0 }
      let how = isKnown(other, choice) ? "within the margin" : "within noise"
      return "\(other.policy) succeeds as often as \(choice.policy) \(how): \(parts.joined(separator: ", "))."
    }
    return [decisionText, openText(ranking)].compactMap { $0 } + limits + costs
      + [waitingText(ranking)].compactMap { $0 }
  }

  /// The findings that several profiles share, each with those profiles; reports show them once.
  package var sharedFindings: [(text: String, names: [String])] {
    guard profiles.count > 1 else { return [] }
    let all = profiles.flatMap { profile in findings(of: profile).map { (text: $0, name: profile) } }
    return Self.grouped(all).filter { $0.names.count > 1 }
  }

  /// The shared findings in sentences, which name their profiles unless they hold for all.
  package var sharedFindingsText: [String] {
    sharedFindings.map { $0.names.count == profiles.count ? $0.text : "Under \(Self.list($0.names)): \($0.text)" }
  }

  package func ownFindings(of profile: String) -> [String] {
    let shared = Set(sharedFindings.map(\.text))
    return findings(of: profile).filter { !shared.contains($0) }
  }

  /// Whether the seeds show any difference in success between two candidates.
  private func isKnown(_ one: PolicyMetrics, _ other: PolicyMetrics) -> Bool {
    one.compared(to: other, by: .successRate, confidence: confidence)?.isBeyondNoise ?? false
  }

  /// A sentence that says how many seeds a comparison of waits needs; `nil` if there are enough.
  private func waitingText(_ ranking: Ranking) -> String? {
    let needed = ranking.all.dropFirst().compactMap {
      $0.compared(to: ranking.all[0], by: .wait, confidence: confidence)?.seedsNeeded
    }.max()
    return needed.map {
      "Waiting is compared from \(FigureText.grouped($0)) seeds on: it depends on a few requests that fewer seeds may miss."
    }
  }

  /// A sentence on the comparisons that these seeds leave open, and how many seeds would decide.
  private func openText(_ ranking: Ranking) -> String? {
    guard let most = ranking.open.map(\.seeds).max() else { return nil }
    let names = ranking.open.map(\.metrics.policy)
    return "\(ranking.seeds) seeds leave open whether \(Self.list(names)) "
      + "differ\(names.count == 1 ? "s" : "") from \(ranking.best.policy) in success by as much as matters: "
      + "about \(Self.rounded(most)) seeds would tell."
  }

  /// A sentence on policies with different limits; `nil` if the limits are equal.
  func limitsText(_ profile: String) -> String? {
    // A policy that never retries is not counted: it has a limit of one attempt.
    let known = results.filter { $0.profile == profile && $0.limits.map { $0.attempts != 1 } ?? false }
    let groups = Self.grouped(known.map { (text: $0.limits?.text ?? "", name: $0.policy) })
    guard groups.count > 1 else { return nil }
    let list = groups.map { "\(Self.list($0.names)) \($0.text)" }.joined(separator: "; ")
    return "Their limits differ: \(list). Compare them at equal limits (--equal)."
  }

  /// Warnings to show with the headlines: different limits, idempotency keys that the server ignores, hedges that use
  /// up attempts.
  package var cautions: [String] {
    let rankings = profiles.compactMap { Ranking(self, $0) }.filter(\.canTell)
    let limits =
      rankings.contains(where: \.limitsDecide)
      ? ["Their limits differ, and may decide: compare them at equal limits (--equal)."] : []
    let sendsKeys = results.contains { $0.plan?.contains("idempotency-key") ?? false }
    let keys =
      sendsKeys && server.keyMemory == nil && !workload.isIdempotent
      ? ["This server ignores Idempotency-Key, so a key prevents nothing: add keys 24 h to the server."] : []
    return Self.unique(limits + keys + rankings.compactMap(\.hedges))
  }

  /// The outcome of a run that continued until it was decided; `nil` for other runs.
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

  private static func attempts(_ difference: PairedComparison?) -> String {
    guard let difference else { return "attempts alike" }
    return
      "\(FigureText.digits(abs(difference.difference))) \(difference.difference > 0 ? "more" : "fewer") attempts each "
      + "(\(range(difference)))"
  }

  /// The difference in waits, in words; `nil` if these seeds are too few.
  private func waiting(_ one: PolicyMetrics, _ other: PolicyMetrics) -> String? {
    if one.compared(to: other, by: .wait, confidence: confidence)?.seedsNeeded != nil { return nil }
    guard let difference = Ranking.difference(one, other, .wait, confidence) else { return "waiting alike" }
    return
      "\(FigureText.digits(abs(difference.difference))) s \(difference.difference > 0 ? "more" : "less") waiting per answer "
      + "(\(Self.range(difference)))"
  }

  private static func range(_ difference: PairedComparison) -> String {
    [difference.interval.lowerBound, difference.interval.upperBound].map(abs).sorted().map { FigureText.digits($0) }
      .joined(separator: " to ")
  }

  /// The texts in order, each with the names that share it.
  static func grouped(_ pairs: [(text: String, name: String)]) -> [(text: String, names: [String])] {
    pairs.reduce(into: []) { groups, pair in
      if let known = groups.firstIndex(where: { $0.text == pair.text }) {
        groups[known].names.append(pair.name)
      } else {
        groups.append((pair.text, [pair.name]))
      }
    }
  }

  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// A sentence on how often requests succeed with a policy, and at what cost.
  private static func success(_ metrics: PolicyMetrics, _ failures: String = "") -> String {
    "With \(metrics.policy), \(shares([metrics])) succeed\(cost([metrics]))\(failures)."
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
    return " at \(low == high ? low : "\(low) to \(high)") attempt\(high == "1" ? "" : "s") each"
  }

  /// A number rounded up to two digits, since it is an estimate.
  static func rounded(_ count: Int) -> String {
    var scale = 1
    while count / scale >= 100 { scale *= 10 }
    let rounded = (count + scale - 1) / scale * scale
    return rounded > 10_000_000 ? "more than 10 million" : FigureText.grouped(rounded)
  }
}
