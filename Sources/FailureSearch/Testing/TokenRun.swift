package import NetworkConditions

/// One run of a test's closure, which a token decides.
package struct TokenRun: Sendable {
  /// The error that the closure threw, or the deadlock that it ran into.
  package let error: (any Error)?
  /// Whether the closure returned or threw at all.
  package let hasReturned: Bool
  /// Everything that happened.
  package let timeline: Timeline
  /// The faults that chance chose, or those that were replayed.
  package let schedule: FaultSchedule?
  /// The faults of a schedule that never happened.
  package let unusedFaults: [ScheduledFault]

  /// Runs a closure, once for each client.
  ///
  /// - Throws: ``SimulationError`` where the run could not be carried to its end.
  package init(
    _ token: ReplayToken, as request: RequestedNetwork,
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws(SimulationError) {
    let trial = SearchTrial(
      prepare: { _ in }, body: body, transport: nil, capture: request.capture, options: request.options,
      clients: request.clients, startsAnywhere: false)
    let course =
      switch token.content {
      case .schedule(let schedule): try await trial.run(schedule)
      case .seed(let seed, let profile, let start):
        try await trial.run(profile, seed: seed, start: start, isRecorded: true)
      }
    error = course.error
    hasReturned = course.hasReturned
    timeline = course.timeline
    schedule = course.schedule
    unusedFaults = course.unusedFaults
  }

  /// The error as people read it, and what more it has to say; `nil` when nothing failed.
  package var errorText: String? {
    error.map { error in
      let (message, details) = FailureText.words(of: error, timeline.redaction)
      return message + (details.map { "\n\($0)" } ?? "")
    }
  }

  /// The run as a drawing, in figures, and event by event.
  package var timelineText: String { TimelineText.text(timeline, faults: schedule?.faults ?? []) }

  /// Says which faults never came to happen; `nil` when all did.
  package var unusedText: String? {
    guard !unusedFaults.isEmpty else { return nil }
    let list = unusedFaults.map { "  \($0)" }.joined(separator: "\n")
    return "Scheduled, but never came to happen: the test has not done what the schedule was made for.\n\(list)"
  }
}

/// A timeline as a text to be kept with a failure.
package enum TimelineText {
  /// A drawing, the figures of each transfer, and each event.
  package static func text(_ timeline: Timeline, faults: [ScheduledFault]) -> String {
    let events = timeline.events.map(\.description).joined(separator: "\n")
    return "\(TimelineDrawing(timeline, faults: faults))\n\n\(timeline)\n\n\(events)\n"
  }
}
