import NetworkConditions

/// Cuts a failure down: makes sure that it happens again, then removes the faults and clients that it does not need.
struct Shrinker: Sendable {
  private let trial: SearchTrial
  private let limit: Int
  /// How often the reduced schedule is run again to see how often it fails.
  private static let confirmations = 10
  /// The same for a failure whose runs take real time, or a new process each.
  private static let slowConfirmations = 2
  private static let patienceWithHangs = Duration.milliseconds(400)
  /// Limits for endless runs, each of which takes its whole time: fewer and shorter runs.
  private static let (runsOfEndless, timeOfEndless, requestsOfEndless) = (24, Duration.seconds(1), 500)

  init(_ trial: SearchTrial, limit: Int) {
    self.trial = trial
    self.limit = limit
  }

  /// A failure and its first rerun.
  private struct Rerun {
    let fingerprint: Fingerprint
    let token: ReplayToken
    let count: Int
    let course: SearchCourse
    /// The failure of the original run, before the rerun.
    let first: SearchCourse.Failure

    var fails: Bool { course.failure?.fingerprint == fingerprint }

    /// The failure with its outcome, described by another run or else by this rerun.
    func found(_ outcome: FoundFailure.Outcome, as other: SearchCourse? = nil) -> FoundFailure {
      let (profile, seed, _) = token.course
      let shown = other ?? course
      let failure = fails ? other?.failure ?? course.failure : first
      return FoundFailure(
        profile: profile.name, seed: seed, seedCount: count, fingerprint: fingerprint,
        message: failure?.message ?? "\(fingerprint)", details: failure?.details, outcome: outcome,
        timeline: shown.timeline, telling: shown.telling, seedToken: token)
    }

    func changed(_ once: String) -> FoundFailure {
      let now = course.failure?.message ?? "no failure"
      return found(.notReproduced("\(once) failed once, but gave \"\(now)\" when it was run again"))
    }
  }

  /// Cuts down a failure that a seed causes; `count` seeds of the search fail in this way.
  func shrink(_ hit: FailureSearch.Hit, count: Int) async throws -> FoundFailure {
    let token = trial.token(hit.profile, hit.seed)
    if hit.failure.holdsThread, trial.crew == nil {
      return unrepeated(hit.failure, hit.telling, token, count: count)
    }
    var (trial, limit) = quickened(for: hit.fingerprint)
    trial.origin = hit.seed
    let course = try await trial.toldCourse(token, isRecorded: true)
    let rerun = Rerun(fingerprint: hit.fingerprint, token: token, count: count, course: course, first: hit.failure)
    guard rerun.fails else { return rerun.changed("seed \(hit.seed)") }
    if let schedule = course.schedule {
      let again = try await trial.toldCourse(token)
      if let difference = again.firstDifference(from: course) {
        return rerun.found(.notReproduced("two runs of seed \(hit.seed) differ; first difference: \(difference)"))
      }
      let replay = try await trial.toldCourse(ReplayToken(schedule))
      guard replay.failure?.fingerprint == hit.fingerprint else {
        let difference = replay.firstDifference(from: course) ?? "none"
        return rerun.found(
          .notReproduced("the recorded faults alone do not cause it; first difference: \(difference)"))
      }
    }
    var none = course.schedule ?? FaultSchedule(hit.profile, seed: hit.seed)
    none.faults = []
    let benign = try await trial.toldCourse(ReplayToken(none))
    if benign.failure?.fingerprint == hit.fingerprint { return rerun.found(.withoutFault, as: benign) }
    guard let schedule = course.schedule else {
      return rerun.found(.notRepeated("its process ended before it could say which faults had happened"))
    }
    return try await reduced(rerun, schedule, trial, limit: limit, runs: 4)
  }

  /// The trial and the limit of runs for a failure; lower for hangs and endless runs, which take real time.
  private func quickened(for fingerprint: Fingerprint) -> (trial: SearchTrial, limit: Int) {
    var trial = trial
    if fingerprint.isHang { trial.options.patience = min(trial.options.patience, Self.patienceWithHangs) }
    guard fingerprint.isEndless else { return (trial, limit) }
    trial.timeLimit = Self.timeOfEndless
    trial.options.requestLimit = min(trial.options.requestLimit, Self.requestsOfEndless)
    return (trial, min(limit, Self.runsOfEndless))
  }

  /// A failure whose run still blocks a thread of this process; a rerun would block another, so there is none.
  private func unrepeated(
    _ failure: SearchCourse.Failure, _ telling: Verdict.Telling?, _ token: ReplayToken, count: Int
  ) -> FoundFailure {
    let (profile, seed, _) = token.course
    let reason = "its client may still be running, and only a separate process surely ends it (`workers: .processes()`)"
    return FoundFailure(
      profile: profile.name, seed: seed, seedCount: count, fingerprint: failure.fingerprint, message: failure.message,
      details: nil, outcome: .notRepeated(reason),
      timeline: SimulatedNetwork(profile, seed: seed, pace: .immediate).timeline, telling: telling, seedToken: token)
  }

  /// Cuts down a failure that is known to come from the few faults of a schedule.
  func shrink(_ schedule: FaultSchedule, _ failure: SearchCourse.Failure) async throws -> FoundFailure {
    let token = ReplayToken(schedule)
    if failure.holdsThread, trial.crew == nil { return unrepeated(failure, nil, token, count: 1) }
    let (trial, limit) = quickened(for: failure.fingerprint)
    let course = try await trial.toldCourse(token)
    let rerun = Rerun(fingerprint: failure.fingerprint, token: token, count: 1, course: course, first: failure)
    guard rerun.fails else { return rerun.changed("it") }
    return try await reduced(rerun, schedule, trial, limit: limit, runs: 1)
  }

  /// Reduces the schedule of a failure, and runs the result several times to see how often it fails.
  private func reduced(
    _ rerun: Rerun, _ schedule: FaultSchedule, _ trial: SearchTrial, limit: Int, runs: Int
  ) async throws -> FoundFailure {
    var reduction = ScheduleReduction(
      trial: trial, fingerprint: rerun.fingerprint, schedule: schedule, length: rerun.course.length, limit: limit,
      runs: runs)
    try await reduction.run()
    var trial = quickened(for: reduction.fingerprint).trial
    trial.clients = reduction.clients
    var courses: [SearchCourse] = []
    let confirmations = reduction.fingerprint.isSlow ? Self.slowConfirmations : Self.confirmations
    for _ in 0..<confirmations { courses.append(try await trial.toldCourse(ReplayToken(reduction.schedule))) }
    let failures = courses.filter { $0.failure?.fingerprint == reduction.fingerprint }
    guard let first = failures.first else {
      return rerun.found(
        .notReproduced("it failed while its faults were removed, but not in \(confirmations) further runs of the rest"))
    }
    let outcome = FoundFailure.Shrunk(
      schedule: reduction.schedule, originalFaults: schedule.faults.count, reruns: reduction.runs + confirmations,
      isComplete: reduction.isComplete, failedReruns: failures.count, confirmingReruns: confirmations,
      courses: Set(courses.map(\.trace)).count, clients: reduction.clients)
    return rerun.found(.shrunk(outcome), as: first)
  }
}
