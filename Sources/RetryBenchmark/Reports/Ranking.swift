/// The ranking of the candidates under one profile, with what the seeds leave open.
struct Ranking {
  /// All candidates that made requests, in the order of the report.
  let all: [PolicyMetrics]
  /// The candidates whose requests were sometimes carried out twice; empty if that is true of all.
  let repeating: [PolicyMetrics]
  /// The candidates that are not in ``repeating``.
  let judged: [PolicyMetrics]
  /// The judged candidate with the most successes.
  let best: PolicyMetrics
  /// The judged candidates not known to have fewer successes than ``best``, and ``best`` itself.
  let equals: [PolicyMetrics]
  /// The ``equals`` whose difference from ``best`` these seeds leave open, and how many seeds would decide.
  let open: [(metrics: PolicyMetrics, seeds: Int)]
  /// The ``equals`` with the fewest attempts, then the least wait, both to within 5 %, then the soonest answers.
  let choices: [PolicyMetrics]
  let worst: PolicyMetrics
  /// The lowest number of trials of a candidate.
  let seeds: Int

  /// One percentage point: a smaller difference in a share does not matter, except in the success rate.
  static let point = 0.01

  /// The least difference in success that matters; `nil` is the default of ``SuccessMargin``.
  private let margin: SuccessMargin?
  private let confidence: Double

  /// The least difference in success that matters between two candidates.
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

  /// A cheaper policy that may be as good as ``best``, and how many seeds would decide.
  ///
  /// It would be chosen for its cost. But its success is lower by more than the margin, and that may be noise.
  var undecided: (metrics: PolicyMetrics, seeds: Int)? {
    open.first { rival in
      choices.contains { $0.policy == rival.metrics.policy }
        && (best.success.rate ?? 0) - (rival.metrics.success.rate ?? 0) >= Self.margin(rival.metrics, best, margin)
    }
  }

  /// Whether judged policies have other limits than the chosen ones, which may decide the comparison.
  var limitsDecide: Bool {
    func limits(_ metrics: PolicyMetrics) -> AttemptLimits? { metrics.limits.flatMap { $0.attempts == 1 ? nil : $0 } }
    let chosen = Set(choices.compactMap(limits))
    return !chosen.isEmpty && judged.compactMap(limits).contains { !chosen.contains($0) }
  }

  /// A sentence on policies that succeed less than ``best`` because hedges use up their attempts; `nil` if none.
  var hedges: String? {
    let some = judged.filter { one in
      one.hedges > 0 && one.limits == best.limits && !equals.contains { $0.policy == one.policy }
    }
    guard let attempts = some.first?.limits?.attempts else { return nil }
    let names = RetryReport.list(some.map(\.policy))
    return
      "A hedge counts as an attempt, so \(names) \(some.count == 1 ? "uses" : "use") up the \(attempts) attempts sooner."
  }

  /// A policy that succeeds as often as the chosen ones and answers sooner, with more attempts.
  struct Sooner {
    let metrics: PolicyMetrics
    /// The chosen policy that answers soonest.
    let choice: PolicyMetrics
    /// The share of all requests whose answer times are compared.
    let share: Double
  }

  /// The first policy that is known to answer sooner than the chosen ones; `nil` if there is none.
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

  private static let slow = [0.99, 0.9]

  private static func seconds(_ metrics: PolicyMetrics, _ share: Double) -> Double {
    metrics.timeToAnswer(share)?.value ?? .infinity
  }

  /// Whether `one` is known to answer this share of its requests sooner than `other`, which takes at least 20 % longer.
  ///
  /// The share answered within its time must also be greater by a percentage point, beyond noise.
  private static func isSooner(
    _ one: PolicyMetrics, _ other: PolicyMetrics, _ share: Double, _ confidence: Double
  ) -> Bool {
    let time = seconds(one, share)
    guard time.isFinite, seconds(other, share) >= 1.2 * time,
      let pair = one.compared(to: other, within: .nanoseconds(Int64(time * 1e9)), confidence: confidence)
    else { return false }
    return pair.isBeyondNoise && pair.difference >= point
  }

  var canTell: Bool { seeds >= PairedComparison.leastSeeds }

  /// The policies that do not differ from `one` in a measure, beyond noise and by as much as matters.
  private static func alike(
    _ metrics: [PolicyMetrics], _ one: PolicyMetrics, _ measure: TrialSummary.Measure, _ confidence: Double,
    _ margin: SuccessMargin? = nil
  ) -> [PolicyMetrics] {
    metrics.filter { $0.policy == one.policy || difference($0, one, measure, confidence, margin) == nil }
  }

  /// The difference between two candidates in a measure; `nil` if it is noise or does not matter.
  ///
  /// A difference matters from the margin on for success, and from 5 % on for waits and attempts.
  static func difference(
    _ metrics: PolicyMetrics, _ other: PolicyMetrics, _ measure: TrialSummary.Measure, _ confidence: Double,
    _ margin: SuccessMargin? = nil
  ) -> PairedComparison? {
    guard let difference = metrics.compared(to: other, by: measure, confidence: confidence), difference.isBeyondNoise
    else { return nil }
    let least =
      measure == .successRate
      ? Self.margin(metrics, other, margin) : measure.isShare ? point : 0.05 * (other.estimate(of: measure)?.value ?? 0)
    return abs(difference.difference) >= least ? difference : nil
  }

  private static func least(_ metrics: [PolicyMetrics], _ measure: TrialSummary.Measure) -> PolicyMetrics? {
    let values = metrics.map { ($0, $0.estimate(of: measure)?.value ?? .infinity) }
    return values.min { $0.1 < $1.1 }?.0
  }
}

extension RetryReport {
  /// Whether the success of each candidate is known to differ from the first's, or to be within the margin of it.
  func isDecided(by design: SequentialDesign) -> Bool {
    profiles.allSatisfy { profile in
      let metrics = results.filter { $0.profile == profile }
      return metrics.dropFirst().allSatisfy { other in
        let pair = other.compared(to: metrics[0], by: .successRate, confidence: design.confidence)
        return pair.map { $0.isBeyondNoise || $0.isWithin(Ranking.margin(other, metrics[0], margin)) } ?? false
      }
    }
  }
}
