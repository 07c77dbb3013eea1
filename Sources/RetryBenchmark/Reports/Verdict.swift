/// Who does best under one profile, as far as chance lets it be told.
struct Verdict {
  /// All contenders that made requests, in their order.
  let all: [PolicyMetrics]
  /// Those with requests that were carried out twice, though once was asked for; empty where all have some.
  let repeating: [PolicyMetrics]
  /// The others, among which there is a best one.
  let judged: [PolicyMetrics]
  /// The one with the most successes, those that repeat effects left out.
  let best: PolicyMetrics
  /// Those that are not known to have fewer successes than the best one, and itself.
  let equals: [PolicyMetrics]
  /// Those of them of which these seeds do not tell whether they differ from it by as much as matters, and how many would.
  let open: [(metrics: PolicyMetrics, seeds: Int)]
  /// Those of the equals that need the fewest attempts and then the least waiting, give or take 5 %, and answer soonest.
  let choices: [PolicyMetrics]
  /// The one with the fewest successes, again of those that repeat nothing.
  let worst: PolicyMetrics
  /// How many seeds all of it rests on.
  let seeds: Int

  /// A point of a hundred: less of a difference in a share matters to nobody, unless the share is one of failures.
  static let point = 0.01

  /// The least difference in success that matters; `nil` is the usual one.
  private let margin: SuccessMargin?
  private let confidence: Double

  /// The least difference in success that matters between two contenders.
  static func margin(_ one: PolicyMetrics, _ other: PolicyMetrics, _ margin: SuccessMargin?) -> Double {
    SuccessMargin.least(margin, failing: 1 - max(one.success.rate ?? 0, other.success.rate ?? 0))
  }

  init?(_ report: RetryReport, _ profile: String) {
    let confidence = report.confidence
    margin = report.margin
    self.confidence = confidence
    all = report.results.filter { $0.profile == profile && $0.success.total > 0 }
    let some = all.filter { $0.repeatedEffects > 0 }
    let repeatsAll = some.count == all.count
    repeating = repeatsAll ? [] : some
    let judged = all.filter { $0.repeatedEffects == 0 || repeatsAll }
    self.judged = judged
    guard let best = judged.max(by: { ($0.success.rate ?? 0) < ($1.success.rate ?? 0) }),
      let worst = judged.min(by: { ($0.success.rate ?? 0) < ($1.success.rate ?? 0) })
    else { return nil }
    (self.best, self.worst) = (best, worst)
    seeds = all.map(\.trials.count).min() ?? 0
    equals = Self.alike(judged, best, .successRate, confidence, margin)
    let cheap = Self.alike(equals, Self.least(equals, .amplification) ?? best, .amplification, confidence)
    let patient = Self.alike(cheap, Self.least(cheap, .wait) ?? best, .wait, confidence)
    let soonest = patient.filter { one in
      !patient.contains { other in Self.slow.contains { Self.isSooner(other, one, $0, confidence) } }
    }
    choices = soonest.isEmpty ? patient : soonest
    open = equals.filter { $0.policy != best.policy }.compactMap { other in
      guard let pair = other.compared(to: best, by: .successRate, confidence: confidence),
        !pair.isWithin(Self.margin(other, best, report.margin)), !pair.isBeyondNoise
      else { return nil }
      return (other, pair.seedsToDecide(margin: Self.margin(other, best, report.margin), confidence: confidence))
    }
  }

  /// A cheaper policy that may be as good as the best one, and how many seeds would tell.
  ///
  /// Its cost would have it chosen. But so many of its requests fewer succeeded that it matters, and that may be noise.
  var undecided: (metrics: PolicyMetrics, seeds: Int)? {
    open.first { rival in
      choices.contains { $0.policy == rival.metrics.policy }
        && (best.success.rate ?? 0) - (rival.metrics.success.rate ?? 0) >= Self.margin(rival.metrics, best, margin)
    }
  }

  /// Whether the chosen policies, or the others, are allowed more attempts or time: then that may be what decides.
  var limitsDecide: Bool {
    func limits(_ metrics: PolicyMetrics) -> AttemptLimits? { metrics.limits.flatMap { $0.attempts == 1 ? nil : $0 } }
    let chosen = Set(choices.compactMap(limits))
    return !chosen.isEmpty && judged.compactMap(limits).contains { !chosen.contains($0) }
  }

  /// The policies that have fewer successes than the best at its limits, and make copies, which count as attempts.
  var hedges: String? {
    let some = judged.filter { one in
      one.hedges > 0 && one.limits == best.limits && !equals.contains { $0.policy == one.policy }
    }
    guard let attempts = some.first?.limits?.attempts else { return nil }
    let names = RetryReport.list(some.map(\.policy))
    return
      "A hedge counts as an attempt, so \(names) \(some.count == 1 ? "uses" : "use") up the \(attempts) attempts sooner."
  }

  /// A policy that succeeds as often as the chosen ones and answers sooner, for more attempts.
  struct Sooner {
    let metrics: PolicyMetrics
    /// The one of the chosen that answers soonest.
    let choice: PolicyMetrics
    /// Of which share of all requests the times are compared.
    let share: Double
  }

  /// The first such policy; `nil` where none is known to be sooner.
  var sooner: Sooner? {
    for share in Self.slow {
      let choice = choices.min { Self.seconds($0, share) < Self.seconds($1, share) }
      for other in equals where !choices.contains(where: { $0.policy == other.policy }) {
        if let choice, Self.isSooner(other, choice, share, confidence) {
          return Sooner(metrics: other, choice: choice, share: share)
        }
      }
    }
    return nil
  }

  /// The shares of all requests of which the times are compared.
  private static let slow = [0.99, 0.9]

  private static func seconds(_ metrics: PolicyMetrics, _ share: Double) -> Double {
    metrics.timeToAnswer(share)?.value ?? .infinity
  }

  /// Whether a policy is known to answer a share of all requests sooner, by a fifth at least.
  ///
  /// So many more of its requests are answered within its time that it matters.
  private static func isSooner(
    _ one: PolicyMetrics, _ other: PolicyMetrics, _ share: Double, _ confidence: Double
  ) -> Bool {
    let time = seconds(one, share)
    guard time.isFinite, seconds(other, share) >= 1.2 * time,
      let pair = one.compared(to: other, within: .nanoseconds(Int64(time * 1e9)), confidence: confidence)
    else { return false }
    return pair.isBeyondNoise && pair.difference >= point
  }

  /// Whether there are seeds enough to say anything.
  var canTell: Bool { seeds >= PairedComparison.leastSeeds }

  /// Those that do not differ from one of them beyond noise, or by so little of it that nobody would mind.
  private static func alike(
    _ metrics: [PolicyMetrics], _ one: PolicyMetrics, _ measure: TrialSummary.Measure, _ confidence: Double,
    _ margin: SuccessMargin? = nil
  ) -> [PolicyMetrics] {
    metrics.filter { $0.policy == one.policy || difference($0, one, measure, confidence, margin) == nil }
  }

  /// By how much a contender differs from another one; `nil` where that is noise or does not matter.
  ///
  /// Less of success than the margin does not, nor less than 5 % of waiting or attempts, though many seeds may show it.
  static func difference(
    _ metrics: PolicyMetrics, _ other: PolicyMetrics, _ measure: TrialSummary.Measure, _ confidence: Double,
    _ margin: SuccessMargin? = nil
  ) -> PolicyFigures.Difference? {
    guard let difference = PolicyFigures.Difference(metrics, other, measure, confidence), difference.isBeyondNoise
    else { return nil }
    let least =
      measure == .successRate
      ? Self.margin(metrics, other, margin) : measure.isShare ? point : 0.05 * (other.estimate(of: measure)?.value ?? 0)
    return abs(difference.mean) >= least ? difference : nil
  }

  private static func least(_ metrics: [PolicyMetrics], _ measure: TrialSummary.Measure) -> PolicyMetrics? {
    let values = metrics.map { ($0, $0.estimate(of: measure)?.value ?? .infinity) }
    return values.min { $0.1 < $1.1 }?.0
  }
}

extension RetryReport {
  /// Whether each contender is known to differ from the first in success, or to be as good to within the margin, under every
  /// profile.
  func isDecided(by design: SequentialDesign) -> Bool {
    profiles.allSatisfy { profile in
      let metrics = results.filter { $0.profile == profile }
      return metrics.dropFirst().allSatisfy { other in
        let pair = other.compared(to: metrics[0], by: .successRate, confidence: design.confidence)
        return pair.map { $0.isBeyondNoise || $0.isWithin(Verdict.margin(other, metrics[0], margin)) } ?? false
      }
    }
  }
}
