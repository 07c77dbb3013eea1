public import NetworkConditions

/// A failure that a search has found, with its run and the faults that cause it.
public struct FoundFailure: Sendable {
  /// The outcome of cutting the failure down.
  public indirect enum Outcome: Sendable {
    /// The failure happens again with a few faults.
    case shrunk(Shrunk)
    /// The failure happens without any fault: the client, the test or the profile's steady conditions cause it.
    case withoutFault
    /// The failure does not happen again from the recorded schedule; the text names the first difference.
    case notReproduced(String)
    /// The failure was not cut down, for this reason.
    case notRepeated(String)
  }

  /// The smallest schedule that causes the failure, with the evidence for it.
  public struct Shrunk: Sendable {
    /// The faults that cause the failure.
    public let schedule: FaultSchedule
    /// How many faults the failing run had at first.
    public let originalFaults: Int
    /// How many runs were made to cut the failure down, including those that confirm it.
    public let reruns: Int
    /// Whether every reduction was tried; `false` when the limit of runs was reached first.
    public let isComplete: Bool
    /// How many of the confirming runs failed in the same way.
    public let failedReruns: Int
    /// How many runs were made to confirm the failure.
    public let confirmingReruns: Int
    /// How many different traces the confirming runs had: 1 when the closure is deterministic.
    public let courses: Int
    /// How many clients must run together for the failure to happen.
    public let clients: Int
  }

  /// The profile under which the failure was found.
  public let profile: String
  /// The seed of the first run that failed in this way.
  public let seed: UInt64
  /// How many seeds of the search failed in the same way; 1 when the search ended at the first failure.
  public let seedCount: Int
  /// The mark that failures with the same cause have in common.
  public let fingerprint: Fingerprint
  /// The failure's error in words.
  public let message: String
  /// Further details of the error, if it has any.
  public let details: String?
  /// The outcome of shrinking the failure.
  public let outcome: Outcome
  /// The timeline of the run that the report shows: of the reduced schedule if there is one.
  ///
  /// It is empty when the run ended its process: then only ``timelineText`` remains.
  public let timeline: Timeline
  /// The timeline in words, from a worker process that the run ended.
  let written: Verdict.WrittenTimeline?
  let seedToken: ReplayToken
  /// The messages of the seeds that failed in the same way; `nil` for other errors than expectations.
  var forms: FailureForms?

  /// The schedule to which the failure was cut down; `nil` if it was not.
  public var schedule: FaultSchedule? {
    guard case .shrunk(let shrunk) = outcome else { return nil }
    return shrunk.schedule
  }

  package var hasTimeline: Bool { written == nil }

  package var drawing: String {
    written?.drawing ?? "\(TimelineDrawing(timeline, faults: schedule?.faults ?? [], width: 80))"
  }

  /// The timeline as text: a drawing, figures, and the events one by one.
  public var timelineText: String {
    written?.text ?? TimelineText.text(timeline, faults: schedule?.faults ?? [])
  }

  /// The token that repeats the failure: of the reduced schedule if there is one, otherwise of the seed.
  public var token: ReplayToken { schedule.map(ReplayToken.init) ?? seedToken }
}

/// The result of a search.
public struct FailureReport: Sendable {
  /// How many runs were made before the search ended, without those that cut failures down.
  public let runs: Int
  /// How many runs had a request that met a lost packet, a fault, or a phase unlike the base conditions.
  public let runsWithFaults: Int
  /// Whether any run made a request.
  package let madeRequests: Bool
  /// The range of seeds to search, whether or not all were run.
  public let seeds: Range<UInt64>
  /// The names of the profiles that were searched.
  public let profiles: [String]
  /// The failures, one of each fingerprint, in the order in which they were found.
  public let failures: [FoundFailure]
  let code: ReplayCode?
  let capture: CaptureMode
}
