import NetworkConditions

/// A transfer in virtual time: over as soon as it is computed, and told of like one that took its time.
struct VirtualTransfer {
  let options: GetOptions
  let profile: NetworkProfile
  let transport: (any Transport)?
  let console: Console

  /// The time limit that URLSession has when none is given, in seconds.
  private static let usualTimeout = 60.0
  /// So much later than a server's silence that of the simulation itself is taken for an error, in seconds.
  private static let grace = 10.0

  /// Carries it out; throws what the same transfer would throw in real time.
  func run() async throws -> (report: GetReport, signal: Int32?) {
    let limit = options.timeout ?? Self.usualTimeout
    let clock = ContinuousClock()
    let start = clock.now
    do {
      let run = try await Simulation(
        profile, seed: options.seed, transport: transport.map { SilenceLimit($0, seconds: limit) },
        patience: .seconds(limit + Self.grace)
      ) { [options, console] network in
        try await GetTransfer(options: options, network: network, console: console).run()
      }
      var (report, signal) = run.value
      report.virtual = GetReport.VirtualTime(elapsed: run.elapsed, real: start.duration(to: clock.now))
      return (report, signal)
    } catch let failure as SimulationFailure {
      throw failure.error
    }
  }
}
