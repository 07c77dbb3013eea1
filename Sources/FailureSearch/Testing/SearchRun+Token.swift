package import NetworkConditions

extension SearchRun {
  /// Runs a closure once more from a token, once for each client.
  package init(
    _ token: ReplayToken, as request: RequestedNetwork, in name: String,
    _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void
  ) async throws(SimulationError) {
    var runner = SearchRunner(
      profiles: [token.inputs.profile], prepare: { _ in }, body: body, transport: nil, capture: request.capture,
      options: request.options, clients: request.clients, startsAnywhere: false)
    (runner.name, runner.isSearch) = (name, false)
    self = try await runner.run(token, isRecorded: true)
  }

  package var errorText: String? { failure.map { $0.message + ($0.details.map { "\n\($0)" } ?? "") } }

  package var timelineText: String { TimelineText.text(timeline, faults: schedule?.faults ?? []) }

  /// A sentence that names the faults that never happened; `nil` when all did.
  package var unusedText: String? {
    guard !unusedFaults.isEmpty else { return nil }
    let list = unusedFaults.map { "  \($0)" }.joined(separator: "\n")
    return "Scheduled, but never happened: the test has not done what the schedule is for. Search again.\n\(list)"
  }
}

package enum TimelineText {
  package static func text(_ timeline: Timeline, faults: [ScheduledFault]) -> String {
    let events = timeline.events.map(\.description).joined(separator: "\n")
    return "\(TimelineDrawing(timeline, faults: faults))\n\n\(timeline)\n\n\(events)\n"
  }
}
