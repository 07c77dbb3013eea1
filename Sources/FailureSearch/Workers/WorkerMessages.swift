import NetworkConditions

/// A run that a worker must make: only the values that differ between the runs of one search.
struct WorkerOrder: Codable, Sendable {
  let profile: Int
  let seed: UInt64
  /// The time in the profile's phases at which a run without a schedule begins.
  let start: Duration
  /// The schedule to replay; `nil` if the seed decides the faults.
  let schedule: FaultSchedule?
  let isRecorded: Bool
  let clients: Int
  let horizon: Duration?
  let patience: Duration
  let requestLimit: Int
  let waitsForOutside: Bool

  init?(_ token: ReplayToken, of runner: SearchRunner, isRecorded: Bool) {
    let own: NetworkProfile
    switch token.content {
    case .schedule(let schedule): (own, seed, start, self.schedule) = (schedule.profile, schedule.seed, .zero, schedule)
    case .seed(let seed, let profile, let start): (own, self.seed, self.start, schedule) = (profile, seed, start, nil)
    }
    guard let profile = runner.profiles.firstIndex(of: own) else { return nil }
    (self.profile, self.isRecorded, clients, horizon) = (profile, isRecorded, runner.clients, runner.horizon)
    (patience, requestLimit) = (runner.options.patience, runner.options.requestLimit)
    waitsForOutside = runner.waitsForOutside
  }

  func run(of runner: SearchRunner) -> (token: ReplayToken, runner: SearchRunner) {
    var changed = runner
    (changed.clients, changed.horizon, changed.waitsForOutside) = (clients, horizon, waitsForOutside)
    (changed.options.patience, changed.options.requestLimit) = (patience, requestLimit)
    let own = runner.profiles[profile]
    guard var schedule else { return (ReplayToken(own, seed: seed, start: start), changed) }
    schedule.profile = own
    return (ReplayToken(schedule), changed)
  }
}

enum WorkerAnswer: Codable, Sendable {
  /// The verdict on a run that ended, or that is ending the process now.
  case verdict(Verdict)
  /// The run could not be made; the searching process would fail for the same reason.
  case refused
}
