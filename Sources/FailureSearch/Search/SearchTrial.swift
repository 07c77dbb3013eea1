package import NetworkConditions
import URLLoading

/// The part of a search's runs that stays the same from seed to seed.
struct SearchTrial: Sendable {
  var prepare: @Sendable (SimulatedNetwork) async throws -> Void
  var body: @Sendable (SimulatedNetwork) async throws -> Void
  let transport: (any Transport)?
  let capture: ClientCapture
  var options: NetworkOptions
  var clients: Int
  let startsAnywhere: Bool
  /// Where it is kept which seed ended the process, if anywhere.
  var known: KnownFailures.Prepared?
  /// The seed that a schedule was recorded of, if it was.
  var origin: UInt64?

  /// Returns the token that repeats the run of a seed.
  func token(_ profile: NetworkProfile, _ seed: UInt64) -> ReplayToken {
    ReplayToken(profile, seed: seed, start: startsAnywhere ? profile.drawnStart(seed) : .zero)
  }

  /// A run that chance decides.
  func run(_ profile: NetworkProfile, seed: UInt64, isRecorded: Bool) async throws(SimulationError) -> SearchCourse {
    try await run(
      profile, seed: seed, start: startsAnywhere ? profile.drawnStart(seed) : .zero, isRecorded: isRecorded)
  }

  /// A run that chance decides, under a profile that begins so far into its phases.
  func run(
    _ profile: NetworkProfile, seed: UInt64, start: Duration, isRecorded: Bool
  ) async throws(SimulationError) -> SearchCourse {
    let begun = profile.begun(at: start)
    let course = try await SimulationCourse(
      begun, seed: seed, transport: transport, capturing: capture, options: options,
      faults: isRecorded ? .recorded : .drawn,
      lastWords: lastWords(ReplayToken(profile, seed: seed, start: start), known?.record(profile.name, seed)),
      closure)
    // The phases were written down at the times of this run, and go by the names of the profile as it is; only traces
    // have moved.
    let schedule = course.faults.map { FaultSchedule(begun.hasTraces ? begun : profile, seed: seed, faults: $0.faults) }
    return SearchCourse(course, under: begun, schedule: schedule)
  }

  /// A run that a schedule decides.
  func run(_ schedule: FaultSchedule) async throws(SimulationError) -> SearchCourse {
    let course = try await SimulationCourse(
      schedule.profile, seed: schedule.seed, transport: transport, capturing: capture, options: options,
      faults: .replayed(schedule),
      lastWords: lastWords(ReplayToken(schedule), origin.flatMap { known?.record(schedule.profile.name, $0) }),
      closure)
    return SearchCourse(course, under: schedule.profile, schedule: schedule)
  }

  private func lastWords(_ token: ReplayToken, _ record: LastWords.Record?) -> LastWords {
    LastWords(RunNote(token, faults: []).lastWords, record: record)
  }

  private var closure: @Sendable (SimulatedNetwork) async throws -> Void {
    let (prepare, body, clients) = (prepare, body, clients)
    guard clients > 1 else {
      return { network in
        try await prepare(network)
        try await body(network)
      }
    }
    return { network in
      try await prepare(network)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<clients { group.addTask { try await body(network.client(number)) } }
        try await group.waitForAll()
      }
    }
  }
}

/// The course of one run, as far as a search asks.
package struct SearchCourse: Sendable {
  /// The reason why it failed; `nil` when it did not.
  let failure: Failure?
  /// The error that was thrown, or the deadlock that it ran into.
  package let error: (any Error)?
  /// Whether the closure returned or threw at all.
  package let hasReturned: Bool
  /// Whether a request met with something adverse.
  let hasMetFault: Bool
  package let timeline: Timeline
  /// The faults that chance chose, or those that were replayed.
  package let schedule: FaultSchedule?
  /// The faults of a schedule that never happened.
  package let unusedFaults: [ScheduledFault]

  struct Failure: Sendable {
    let fingerprint: Fingerprint
    /// The error in words, as it was thrown.
    let message: String
    /// The error in more words, where it has them.
    let details: String?
  }

  init(_ course: SimulationCourse<Void>, under profile: NetworkProfile, schedule: FaultSchedule?) {
    timeline = course.timeline
    hasMetFault = course.timeline.hasFault(under: profile)
    self.schedule = schedule
    unusedFaults = course.unusedFaults
    hasReturned = course.hasReturned
    switch course.result {
    case .success: (failure, error) = (nil, nil)
    case .failure(let error) where schedule?.cancels(before: course.timeline.time) == true && error.isCancellation:
      // Who is cancelled says so: that is no failure.
      (failure, self.error) = (nil, error)
    case .failure(let error):
      self.error = error
      let (message, details) = FailureText.words(of: error, course.timeline.redaction)
      failure = Failure(
        fingerprint: Fingerprint(of: error, in: course.timeline), message: message, details: details)
    }
  }

  /// The events, but for phases: a benign one is no fault, and told only by a run that chance decides.
  var trace: [String] {
    timeline.events.filter { event in
      switch event.kind {
      case .phaseEntered: false
      default: true
      }
    }.map(\.description)
  }

  /// The first thing in which two courses differ.
  func firstDifference(from other: SearchCourse) -> String? {
    if let difference = trace.firstDifference(from: other.trace) { return difference }
    guard failure?.fingerprint != other.failure?.fingerprint else { return nil }
    return "\"\(failure?.message ?? "no failure")\" against \"\(other.failure?.message ?? "no failure")\""
  }
}

extension FaultSchedule {
  /// Whether the client was cancelled by a time.
  fileprivate func cancels(before time: SimulatedInstant) -> Bool {
    faults.contains { fault in
      guard case .cancellation(let moment) = fault.kind else { return false }
      return SimulatedInstant.zero.advanced(by: moment) <= time
    }
  }
}

extension Error {
  /// Whether it says that a task was cancelled, and nothing more.
  fileprivate var isCancellation: Bool { self is CancellationError || (self as? URLError)?.code == .cancelled }
}

extension Timeline {
  /// Whether a request met with a fault, a lost packet, or a phase that is no better than a fault.
  fileprivate func hasFault(under profile: NetworkProfile) -> Bool {
    events.contains { event in
      switch event.kind {
      case .fault, .packetLost(_, .link), .packetLost(_, .outage): true
      default: false
      }
    } || transfers.contains { profile.isAdverse(from: $0.started, to: $0.ended ?? time) }
  }
}

extension NetworkProfile {
  /// The moment of its phases at which a seed's run begins, unless the profile is begun already.
  ///
  /// Three of four begin where it matters: in the worst phase, or before it by a lead of any order of magnitude, since it is
  /// not known how long a client takes. The others are evenly drawn from all phases.
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

  /// The greatest lead of the smallest order, 10 ms, and how many orders there are, each twice the one before: up to 41 s.
  private static let shortestLead: Int64 = 10_000_000
  private static let magnitudes: Int64 = 13
}
