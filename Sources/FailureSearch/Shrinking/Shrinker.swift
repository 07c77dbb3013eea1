import NetworkConditions

/// Cuts a failure down: makes sure that it happens again, then removes the faults and clients that it does not need.
struct Shrinker: Sendable {
  private let runner: SearchRunner
  private let limit: Int
  /// How often the reduced schedule is run again to see how often it fails.
  private static let confirmations = 10
  /// How often a slow failure is run again: one whose runs take real time, or a new process each.
  private static let slowConfirmations = 2
  private static let patienceWithHangs = Duration.milliseconds(400)
  /// Limits for endless runs, each of which takes its whole time: fewer and shorter runs.
  private static let (runsOfEndless, timeOfEndless, requestsOfEndless) = (24, Duration.seconds(1), 500)

  init(_ runner: SearchRunner, limit: Int) {
    self.runner = runner
    self.limit = limit
  }

  /// A failure and its first rerun.
  private struct Rerun {
    let fingerprint: Fingerprint
    let token: ReplayToken
    let count: Int
    let run: SearchRun
    /// The failure of the original run, before the rerun.
    let first: SearchRun.Failure

    var fails: Bool { run.failure?.fingerprint == fingerprint }

    /// The failure with its outcome, described by another run or else by this rerun.
    func found(_ outcome: FoundFailure.Outcome, as other: SearchRun? = nil) -> FoundFailure {
      let (profile, seed, _) = token.inputs
      let shown = other ?? run
      let failure = fails ? other?.failure ?? run.failure : first
      return FoundFailure(
        profile: profile.name, seed: seed, seedCount: count, fingerprint: fingerprint,
        message: failure?.message ?? "\(fingerprint)", details: failure?.details, outcome: outcome,
        timeline: shown.timeline, written: shown.written, seedToken: token)
    }

    func changed(_ once: String) -> FoundFailure {
      let now = run.failure?.message ?? "no failure"
      return found(.notReproduced("\(once) failed once, but gave \"\(now)\" when it was run again"))
    }
  }

  /// Cuts down a failure that a seed causes; `count` seeds of the search fail in this way.
  func shrink(_ hit: FailureSearch.Hit, count: Int) async throws -> FoundFailure {
    let token = runner.token(hit.profile, hit.seed)
    if hit.failure.holdsThread, runner.pool == nil {
      return unrepeated(hit.failure, hit.written, token, count: count)
    }
    var (runner, limit) = quickened(for: hit.fingerprint)
    runner.origin = hit.seed
    let run = try await runner.wholeRun(token, isRecorded: true)
    let rerun = Rerun(fingerprint: hit.fingerprint, token: token, count: count, run: run, first: hit.failure)
    guard rerun.fails else { return rerun.changed("seed \(hit.seed)") }
    if let schedule = run.schedule {
      let again = try await runner.wholeRun(token)
      if let difference = again.firstDifference(from: run) {
        return rerun.found(.notReproduced("two runs of seed \(hit.seed) differ; first difference: \(difference)"))
      }
      let replay = try await runner.wholeRun(ReplayToken(schedule))
      guard replay.failure?.fingerprint == hit.fingerprint else {
        let difference = replay.firstDifference(from: run) ?? "none"
        return rerun.found(
          .notReproduced("the recorded faults alone do not cause it; first difference: \(difference)"))
      }
    }
    var none = run.schedule ?? FaultSchedule(hit.profile, seed: hit.seed)
    none.faults = []
    let benign = try await runner.wholeRun(ReplayToken(none))
    if benign.failure?.fingerprint == hit.fingerprint { return rerun.found(.withoutFault, as: benign) }
    guard let schedule = run.schedule else {
      return rerun.found(.notRepeated("its process ended before it could say which faults had happened"))
    }
    return try await reduced(rerun, schedule, runner, limit: limit, runs: 4)
  }

  /// The runner and the limit of runs for a failure; lower for hangs and endless runs, which take real time.
  private func quickened(for fingerprint: Fingerprint) -> (runner: SearchRunner, limit: Int) {
    var runner = runner
    if fingerprint.isHang { runner.options.patience = min(runner.options.patience, Self.patienceWithHangs) }
    guard fingerprint.isEndless else { return (runner, limit) }
    runner.timeLimit = Self.timeOfEndless
    runner.options.requestLimit = min(runner.options.requestLimit, Self.requestsOfEndless)
    return (runner, min(limit, Self.runsOfEndless))
  }

  /// A failure whose run still blocks a thread of this process; a rerun would block another, so there is none.
  private func unrepeated(
    _ failure: SearchRun.Failure, _ written: Verdict.WrittenTimeline?, _ token: ReplayToken, count: Int
  ) -> FoundFailure {
    let (profile, seed, _) = token.inputs
    let reason = "its client may still be running, and only a separate process surely ends it (`workers: .processes()`)"
    return FoundFailure(
      profile: profile.name, seed: seed, seedCount: count, fingerprint: failure.fingerprint, message: failure.message,
      details: nil, outcome: .notRepeated(reason),
      timeline: SimulatedNetwork(profile, seed: seed, pace: .immediate).timeline, written: written, seedToken: token)
  }

  /// Cuts down a failure that is known to come from the few faults of a schedule.
  func shrink(_ schedule: FaultSchedule, _ failure: SearchRun.Failure) async throws -> FoundFailure {
    let token = ReplayToken(schedule)
    if failure.holdsThread, runner.pool == nil { return unrepeated(failure, nil, token, count: 1) }
    let (runner, limit) = quickened(for: failure.fingerprint)
    let run = try await runner.wholeRun(token)
    let rerun = Rerun(fingerprint: failure.fingerprint, token: token, count: 1, run: run, first: failure)
    guard rerun.fails else { return rerun.changed("it") }
    return try await reduced(rerun, schedule, runner, limit: limit, runs: 1)
  }

  /// Reduces the schedule of a failure, and runs the result several times to see how often it fails.
  private func reduced(
    _ rerun: Rerun, _ schedule: FaultSchedule, _ runner: SearchRunner, limit: Int, runs: Int
  ) async throws -> FoundFailure {
    var reduction = ScheduleReduction(
      runner: runner, failure: rerun.run.failure ?? rerun.first, schedule: schedule, length: rerun.run.length,
      limit: limit, runs: runs)
    try await reduction.run()
    var runner = quickened(for: reduction.fingerprint).runner
    runner.clients = reduction.clients
    runner.waitsForOutside = true
    var runs: [SearchRun] = []
    let confirmations = reduction.fingerprint.isSlow ? Self.slowConfirmations : Self.confirmations
    for _ in 0..<confirmations { runs.append(try await runner.wholeRun(ReplayToken(reduction.schedule))) }
    let failures = runs.filter { $0.failure?.fingerprint == reduction.fingerprint }
    guard let first = failures.first else {
      return rerun.found(
        .notReproduced("it failed while its faults were removed, but not in \(confirmations) further runs of the rest"))
    }
    let outcome = FoundFailure.Shrunk(
      schedule: reduction.schedule, originalFaults: schedule.faults.count, reruns: reduction.runs + confirmations,
      isComplete: reduction.isComplete, failedReruns: failures.count, confirmingReruns: confirmations,
      courses: Set(runs.map(\.trace)).count, clients: reduction.clients)
    return rerun.found(.shrunk(outcome), as: first)
  }
}
