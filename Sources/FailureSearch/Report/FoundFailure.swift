public import NetworkConditions

/// A failure that a search has found, with its run and the faults that it takes.
public struct FoundFailure: Sendable {
  /// The outcome of cutting it down.
  public indirect enum Outcome: Sendable {
    /// It comes again from a few faults.
    case shrunk(Shrunk)
    /// It comes without any fault: it has nothing to do with the network's conditions.
    case withoutFault
    /// It does not come again from the recorded schedule: the text names the first difference.
    case notReproduced(String)
    /// It was not cut down, for this reason.
    case notRepeated(String)
  }

  /// The little that a failure was cut down to.
  public struct Shrunk: Sendable {
    /// The faults that it takes.
    public let schedule: FaultSchedule
    /// How many faults there were in the run that failed.
    public let originalFaults: Int
    /// How many runs it took to cut it down, those to make sure included.
    public let reruns: Int
    /// Whether everything was tried; otherwise the runs were used up before.
    public let isComplete: Bool
    /// In how many of the runs to make sure it failed in the same way.
    public let failedReruns: Int
    /// How many runs were made to make sure.
    public let confirmingReruns: Int
    /// How many different courses these runs took: 1, where the closure is deterministic.
    public let courses: Int
    /// How many clients it takes.
    public let clients: Int
  }

  /// The profile that it was found under.
  public let profile: String
  /// The seed that leads to it.
  public let seed: UInt64
  /// How many seeds of the search failed in the same way; 1 when it ended at the first.
  public let seedCount: Int
  /// The mark that equal failures have in common.
  public let fingerprint: Fingerprint
  /// The error in words.
  public let message: String
  /// The further details of the error, where it gives some.
  public let details: String?
  /// The outcome of cutting it down.
  public let outcome: Outcome
  /// The timeline of the run that is shown: the one that was cut down, where there is one.
  ///
  /// It is empty where the run ended its process: then only ``timelineText`` is left of it.
  public let timeline: Timeline
  /// The timeline in the words of the process that the run ended.
  let telling: Verdict.Telling?
  let seedToken: ReplayToken

  /// The schedule that it was cut down to, if it was.
  public var schedule: FaultSchedule? {
    guard case .shrunk(let shrunk) = outcome else { return nil }
    return shrunk.schedule
  }

  package var hasTimeline: Bool { telling == nil }

  package var drawing: String {
    telling?.drawing ?? "\(TimelineDrawing(timeline, faults: schedule?.faults ?? [], width: 80))"
  }

  /// The timeline as a drawing, in figures, and event by event.
  public var timelineText: String {
    telling?.text ?? TimelineText.text(timeline, faults: schedule?.faults ?? [])
  }

  /// The token that repeats it: of the schedule, or of the seed where there is none.
  public var token: ReplayToken { schedule.map(ReplayToken.init) ?? seedToken }
}

/// The result of a search.
public struct FailureReport: Sendable {
  /// How many runs were made before the search ended, those to cut failures down apart.
  public let runs: Int
  /// In how many of them a request met with a fault: a lost packet, a fault of its own, or a phase unlike the base.
  public let runsWithFaults: Int
  /// The seeds that were to be searched.
  public let seeds: Range<UInt64>
  /// The names of the profiles that were searched.
  public let profiles: [String]
  /// The failures, one of each fingerprint, in the order in which they were found.
  public let failures: [FoundFailure]
  let code: ReplayCode?
  let capture: CaptureMode
}
