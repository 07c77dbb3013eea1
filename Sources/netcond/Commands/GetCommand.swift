import Foundation
import Internals
import NetworkConditions

struct GetCommand: Subcommand {
  static let name = "get"
  static let abstract = "fetch a URL over a network profile, and say what happened"
  static let usage = GetOptions.usage

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    var options = try GetOptions(arguments)
    let recorded = try options.recording.map { try RecordedAnswers(contentsOf: $0) }
    if options.verbose { recorded?.showNotes(on: console) }
    if let recorded, options.url == nil { options.url = try recorded.url(on: console) }
    var profile = try ProfileFacts.load(options.profile, at: options.beginning)
    if let version = options.version { profile.configuration.secureVersion = version }
    if options.url == nil, options.beginning == nil, let demo = try Demo(profile) {
      profile = demo.profile
      (options.demoBytes, options.note) = (demo.bytes, demo.note)
    }
    if let failure = Failure.unsupported(options.url) {
      return refuse(failure, options, profile, console)
    }
    let transport: (any Transport)? =
      options.url == nil ? nil : recorded?.transport ?? console.overrides.transport ?? URLSessionTransport()
    if transport is URLSessionTransport { SessionTrap.explain(by: "get", on: console) }
    let (report, signal) =
      if options.isVirtual {
        try await VirtualTransfer(options: options, profile: profile, transport: transport, console: console).run()
      } else {
        try await transfer(options, profile, transport, console)
      }
    console.show(options.json ? report.json : nil, isTaken: options.takesStandardOutput, or: report.lines)
    if let failure = report.failure { console.fail("get: \(failure.line)") }
    if let signal { return .after(signal: signal) }
    return report.failure == nil ? .done : .failed
  }

  private func transfer(
    _ options: GetOptions, _ profile: NetworkProfile, _ transport: (any Transport)?, _ console: Console
  ) async throws -> (report: GetReport, signal: Int32?) {
    let pace: Pace = console.overrides.runsAtOnce ? .immediate : options.speed == 1 ? .realTime : .scaled(options.speed)
    let network = SimulatedNetwork(profile, seed: options.seed, pace: pace, transport: transport)
    defer { network.invalidate() }
    return try await GetTransfer(options: options, network: network, console: console).run()
  }

  private func refuse(
    _ failure: Failure, _ options: GetOptions, _ profile: NetworkProfile, _ console: Console
  ) -> ExitStatus {
    let network = SimulatedNetwork(profile, seed: options.seed, pace: .immediate)
    defer { network.invalidate() }
    network.redaction = options.redaction
    let report = GetReport(
      url: options.url?.absoluteString ?? "", profile: profile.name, seed: options.seed, speed: options.speed,
      result: TransferDelegate.Result(),
      failure: failure, timeline: network.timeline, virtual: options.isVirtual ? GetReport.VirtualTime() : nil)
    if options.json { console.out(report.json) }
    console.fail("get: \(failure.line)")
    return .failed
  }
}

/// The part of a changing profile that the embedded server demonstrates: from shortly before its worst phase to beyond it.
struct Demo {
  let profile: NetworkProfile
  /// How many bytes the server sends, so that the transfer lasts beyond the phase.
  let bytes: Int64
  let note: String

  static let usualBytes: Int64 = 300_000
  /// How long before the worst phase the transfer begins.
  private static let lead = Duration.seconds(2)
  private static let longest = Duration.seconds(30)
  /// The highest rate for the demonstration; it replaces a higher one and an unlimited one.
  private static let fastest = Bandwidth.megabitsPerSecond(100)

  /// Creates a demonstration; `nil` for a profile that does not change.
  init?(_ whole: NetworkProfile) throws {
    guard !whole.isBegun, let worst = whole.worstPhase else { return nil }
    let start = SimulatedInstant.zero.duration(to: worst.start)
    let lead = whole.repeats ? Self.lead : min(start, Self.lead)
    profile = whole.starting(at: start - lead)
    let length = min(worst.end.map { worst.start.duration(to: $0) } ?? Self.longest, Self.longest)
    // Sums what the link can carry until the phase is over, and for two more seconds.
    let schedule = profile.schedule
    let slice = Duration.milliseconds(100)
    var bits = 0.0
    var time = Duration.zero
    while time < lead + length + Self.lead {
      let conditions = schedule.conditions(at: .zero.advanced(by: time))
      let rate = min(conditions.down.meanRate ?? Self.fastest, Self.fastest)
      if conditions.outage == nil { bits += Double(rate.bitsPerSecond) * (slice / .seconds(1)) }
      time += slice
    }
    bytes = max(Self.usualBytes, Int64(bits / 8))
    let name = whole.schedule.phases[worst.index].name.printable
    note =
      "starts \(Amounts.time(lead)) before \(name.isEmpty ? "the worst phase" : "\"\(name)\""), to show it; "
      + "--at '0 s' starts at the beginning"
  }
}
