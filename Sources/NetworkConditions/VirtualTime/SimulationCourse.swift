/// All that is known of one run of a closure once it has ended, for searches.
package struct SimulationCourse<Value: Sendable>: Sendable {
  package let result: Result<Value, any Error>
  package let hasReturned: Bool
  package let profile: String
  package let timeline: Timeline
  package let faults: FaultSchedule?
  package let unusedFaults: [ScheduledFault]
  /// Why its client was not captured, although it was to be.
  package let obstacle: String?
  /// How long it took in real time, from its first step on, in nanoseconds.
  package let realTime: UInt64
}

extension SimulationCourse {
  /// Runs a closure; should the process die in it, the profile and the seed are said, unless more is known.
  package init(
    _ profile: NetworkProfile, seed: UInt64, transport: (any Transport)? = nil,
    capturing capture: CaptureMode = .everything, options: NetworkOptions = NetworkOptions(),
    faults: FaultSource = .drawn,
    lastWords: LastWords? = nil, _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) async throws(SimulationError) {
    if SimulationContext.isInside { throw SimulationError.nested }
    let run = SimulationRun<Value>(
      profile, seed: seed, transport: transport, capture: capture, options: options, faults: faults,
      lastWords: lastWords)
    self = try await run.start(body)
  }
}
