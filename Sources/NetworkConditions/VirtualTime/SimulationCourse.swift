/// The result and records of an ended run, for searches.
package struct SimulationCourse<Value: Sendable>: Sendable {
  package let result: Result<Value, any Error>
  package let hasReturned: Bool
  package let profile: String
  package let timeline: Timeline
  package let faults: FaultSchedule?
  package let unusedFaults: [ScheduledFault]
  package let obstacle: String?
  /// The run's real time from its first step, in nanoseconds.
  package let realTime: UInt64
}

extension SimulationCourse {
  /// Runs a closure; if the process dies meanwhile, `lastWords` is printed, by default the profile and the seed.
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
