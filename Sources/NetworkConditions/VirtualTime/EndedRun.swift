/// The result and records of an ended run, for searches.
package struct EndedRun<Value: Sendable>: Sendable {
  package let result: Result<Value, any Error>
  package let hasReturned: Bool
  package let profile: String
  package let timeline: Timeline
  package let faults: FaultSchedule?
  package let unusedFaults: [ScheduledFault]
  package let obstacle: String?
  /// Whether a call from a thread outside of the simulation moved the run on when it had no more events.
  package let wasMovedFromOutside: Bool
  /// The run's real time from its first step, in nanoseconds.
  package let realTime: UInt64
}

extension EndedRun {
  /// Runs a closure; if the process dies meanwhile, `crashReport` is printed, by default the profile and the seed.
  package init(
    _ profile: NetworkProfile, seed: UInt64, transport: (any Transport)? = nil,
    capturing capture: CaptureMode = .everything, options: NetworkOptions = NetworkOptions(),
    faults: FaultSource = .drawn,
    crashReport: CrashReporter? = nil, _ body: @escaping @Sendable (SimulatedNetwork) async throws -> Value
  ) async throws(SimulationError) {
    if SimulationContext.isInside { throw SimulationError.nested }
    let run = SimulationRun<Value>(
      profile, seed: seed, transport: transport, capture: capture, options: options, faults: faults,
      crashReport: crashReport)
    self = try await run.start(body)
  }
}
