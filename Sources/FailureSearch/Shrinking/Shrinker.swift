import NetworkConditions

/// Cuts a failure down: makes sure that it comes again, then takes away the faults and clients that it does not need.
struct Shrinker: Sendable {
  private let trial: SearchTrial
  private let limit: Int
  /// How often the survivor is run again, to see how often it fails.
  private static let confirmations = 10
  private static let confirmationsOfHangs = 2
  private static let patienceWithHangs = Duration.milliseconds(400)

  init(_ trial: SearchTrial, limit: Int) {
    self.trial = trial
    self.limit = limit
  }

  func shrink(_ hit: FailureSearch.Hit, count: Int) async throws -> FoundFailure {
    var trial = trial
    trial.origin = hit.seed
    // Each run of a hang waits in real time to be sure of it; where hangs are known to come, a shorter wait does.
    if hit.fingerprint.isHang { trial.options.patience = min(trial.options.patience, Self.patienceWithHangs) }
    let course = try await trial.toldCourse(trial.token(hit.profile, hit.seed), isRecorded: true)
    func found(_ outcome: FoundFailure.Outcome, as shown: SearchCourse) -> FoundFailure {
      FoundFailure(
        profile: hit.profile.name, seed: hit.seed, seedCount: count, fingerprint: hit.fingerprint,
        message: (shown.failure ?? course.failure)?.message ?? "\(hit.fingerprint)",
        details: (shown.failure ?? course.failure)?.details, outcome: outcome, timeline: shown.timeline,
        telling: shown.telling,
        seedToken: trial.token(hit.profile, hit.seed))
    }
    guard let failure = course.failure, failure.fingerprint == hit.fingerprint, let schedule = course.schedule else {
      let now = course.failure?.message ?? "no failure"
      return found(
        .notReproduced("seed \(hit.seed) failed once, and gave \"\(now)\" when it was run again"), as: course)
    }
    let again = try await trial.toldCourse(trial.token(hit.profile, hit.seed))
    if let difference = again.firstDifference(from: course) {
      return found(.notReproduced("two runs of seed \(hit.seed) differ; first difference: \(difference)"), as: course)
    }
    let replay = try await trial.toldCourse(ReplayToken(schedule))
    guard replay.failure?.fingerprint == hit.fingerprint else {
      let difference = replay.firstDifference(from: course) ?? "none"
      return found(
        .notReproduced("the recorded faults alone do not lead to it; first difference: \(difference)"), as: course)
    }
    var none = schedule
    none.faults = []
    let benign = try await trial.toldCourse(ReplayToken(none))
    if benign.failure?.fingerprint == hit.fingerprint { return found(.withoutFault, as: benign) }

    var reduction = ScheduleReduction(
      trial: trial, fingerprint: hit.fingerprint, schedule: schedule,
      length: course.length, limit: limit, runs: 4)
    try await reduction.run()
    return try await confirm(reduction, original: schedule.faults.count) { found($0, as: $1) }
  }

  /// Cuts down a failure that is known to take the few faults of a schedule.
  func shrink(_ schedule: FaultSchedule, _ fingerprint: Fingerprint) async throws -> FoundFailure {
    var trial = trial
    if fingerprint.isHang { trial.options.patience = min(trial.options.patience, Self.patienceWithHangs) }
    let course = try await trial.toldCourse(ReplayToken(schedule))
    let token = ReplayToken(schedule)
    func found(_ outcome: FoundFailure.Outcome, as shown: SearchCourse) -> FoundFailure {
      FoundFailure(
        profile: schedule.profile.name, seed: schedule.seed, seedCount: 1, fingerprint: fingerprint,
        message: (shown.failure ?? course.failure)?.message ?? "\(fingerprint)",
        details: (shown.failure ?? course.failure)?.details, outcome: outcome, timeline: shown.timeline,
        telling: shown.telling,
        seedToken: token)
    }
    guard course.failure?.fingerprint == fingerprint else {
      let now = course.failure?.message ?? "no failure"
      return found(.notReproduced("it failed once, and gave \"\(now)\" when it was run again"), as: course)
    }
    var reduction = ScheduleReduction(
      trial: trial, fingerprint: fingerprint, schedule: schedule,
      length: course.length, limit: limit, runs: 1)
    try await reduction.run()
    return try await confirm(reduction, original: schedule.faults.count) { found($0, as: $1) }
  }

  /// Runs the reduced schedule several times more, to see how often it fails.
  private func confirm(
    _ reduction: ScheduleReduction, original: Int, found: (FoundFailure.Outcome, SearchCourse) -> FoundFailure
  ) async throws -> FoundFailure {
    var trial = trial
    trial.clients = reduction.clients
    var courses: [SearchCourse] = []
    let confirmations = reduction.fingerprint.isHang ? Self.confirmationsOfHangs : Self.confirmations
    for _ in 0..<confirmations { courses.append(try await trial.toldCourse(ReplayToken(reduction.schedule))) }
    let failures = courses.filter { $0.failure?.fingerprint == reduction.fingerprint }
    guard let first = failures.first ?? courses.first else { preconditionFailure("a survivor is run again") }
    let outcome = FoundFailure.Shrunk(
      schedule: reduction.schedule, originalFaults: original, reruns: reduction.runs + confirmations,
      isComplete: reduction.isComplete, failedReruns: failures.count, confirmingReruns: confirmations,
      courses: Set(courses.map(\.trace)).count, clients: reduction.clients)
    return found(.shrunk(outcome), first)
  }
}
