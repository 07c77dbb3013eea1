package import NetworkConditions

/// An ended run of a search: its failure, if it failed, its timeline, and its schedule if that was recorded.
package struct SearchRun: Sendable {
  let failure: Failure?
  package let error: (any Error)?
  package let hasReturned: Bool
  let profile: NetworkProfile
  package let timeline: Timeline
  private let end: Verdict?
  package let schedule: FaultSchedule?
  package let unusedFaults: [ScheduledFault]
  /// How long the run took in real time, in nanoseconds; `nil` where it did not come to its end.
  let realTime: UInt64?

  struct Failure: Codable, Sendable {
    let fingerprint: Fingerprint
    let message: String
    let details: String?
    private(set) var holdsThread = false

    init(fingerprint: Fingerprint, message: String, details: String? = nil) {
      (self.fingerprint, self.message, self.details) = (fingerprint, message, details)
    }

    init(_ error: SimulationError) {
      self.init(fingerprint: Fingerprint(error: FailureText.label(of: error)), message: "\(error)")
      holdsThread = error.holdsThread
    }
  }

  init(_ run: EndedRun<Void>, of token: ReplayToken, under profile: NetworkProfile) {
    (timeline, self.profile, end) = (run.timeline, profile, nil)
    schedule = token.schedule(of: run.faults)
    unusedFaults = run.unusedFaults
    realTime = run.realTime
    hasReturned = run.hasReturned
    switch run.result {
    case .success: (failure, error) = (nil, nil)
    case .failure(let error)
    where schedule?.cancels(before: run.timeline.time) == true && ErrorMeaning.carriesCancellation(error):
      // The error of a cancelled client says only that it was cancelled: that is no failure.
      (failure, self.error) = (nil, error)
    case .failure(let error):
      self.error = error
      let (message, details) = FailureText.words(of: error, run.timeline.redaction)
      failure = Failure(
        fingerprint: Fingerprint(of: error, in: run.timeline), message: message, details: details)
    }
  }

  /// Creates a run that a simulation error ended; its network has the earlier events.
  init(endedBy error: SimulationError, _ token: ReplayToken, in network: SimulatedNetwork) {
    (profile, timeline, end, self.error, hasReturned, realTime) =
      (token.inputs.profile, network.timeline, nil, error, false, nil)
    (schedule, unusedFaults) = (token.schedule(of: network.faultSchedule), network.unusedFaults)
    failure = Failure(error)
  }

  /// Creates a run in another process that did not return, from its verdict.
  init(endedBy end: Verdict, _ token: ReplayToken) {
    let inputs = token.inputs
    (profile, self.end) = (inputs.profile, end)
    timeline = SimulatedNetwork(inputs.profile, seed: inputs.seed, pace: .immediate).timeline
    (failure, schedule, error, hasReturned, unusedFaults) = (end.failure, end.schedule, nil, false, [])
    realTime = nil
  }

  var length: Duration { end?.length ?? SimulatedInstant.zero.duration(to: timeline.time) }

  var written: Verdict.WrittenTimeline? { end?.written }

  var trace: [String] { written?.trace ?? timeline.trace }

  func firstDifference(from other: SearchRun) -> String? {
    if let difference = trace.firstDifference(from: other.trace) { return difference }
    guard failure?.fingerprint != other.failure?.fingerprint else { return nil }
    return "\"\(failure?.message ?? "no failure")\" against \"\(other.failure?.message ?? "no failure")\""
  }
}

extension ReplayToken {
  /// The schedule of the token's run: the token's own, or one with the recorded faults.
  func schedule(of recorded: FaultSchedule?) -> FaultSchedule? {
    switch content {
    case .schedule(let schedule): return schedule
    case .seed(let seed, let whole, let start):
      // Recorded phases have this run's times and the profile's own names. Only traces must be moved to the start.
      return recorded.map { recorded in
        let begun = whole.hasTraces ? whole.begun(at: start) : whole
        return FaultSchedule(begun.hasTraces ? begun : whole, seed: seed, faults: recorded.faults)
      }
    }
  }
}

extension FaultSchedule {
  /// Whether the schedule cancels the client before this time.
  fileprivate func cancels(before time: SimulatedInstant) -> Bool {
    faults.contains { fault in
      guard case .cancellation(let moment) = fault.kind else { return false }
      return SimulatedInstant.zero.advanced(by: moment) <= time
    }
  }
}

extension NetworkProfile {
  /// The time in the profile's phases at which a seed's run begins.
  ///
  /// Three of four seeds begin in the worst phase, or before it by a random lead. The others begin anywhere. A profile
  /// with a start in its name keeps that start.
  package func drawnStart(_ seed: UInt64) -> Duration {
    guard !isBegun, let length = schedule.period, length > 0 else { return .zero }
    let chance = KeyedRandom(seed: seed).keyed(by: "start")
    let aim = chance.keyed(by: "aim").number(below: 8)
    guard aim < 6, let worst = worstPhase else { return .nanoseconds(chance.number(below: length)) }
    let start = SimulatedInstant.zero.duration(to: worst.start).wholeNanoseconds
    if aim < 3 {
      let end = worst.end.map { SimulatedInstant.zero.duration(to: $0).wholeNanoseconds } ?? length
      return .nanoseconds(start + chance.number(below: max(1, end - start)))
    }
    let longest = Self.shortestLead << chance.keyed(by: "magnitude").number(below: Self.magnitudes)
    let moment = start - chance.number(below: longest)
    return .nanoseconds(repeats ? (moment % length + length) % length : max(0, moment))
  }

  /// The shortest range of random leads, 10 ms; each further range is twice as long as the previous one, up to 41 s.
  private static let shortestLead: Int64 = 10_000_000
  private static let magnitudes: Int64 = 13
}
