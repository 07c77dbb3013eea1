import Foundation
import NetworkConditions

/// `netcond get`: a real transfer over a real `URLSession` under a profile.
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
    if options.url == nil, options.beginning == nil, let demo = try Demo(profile) {
      profile = demo.profile
      (options.demoBytes, options.note) = (demo.bytes, demo.note)
    }
    if let scheme = options.url?.scheme?.lowercased(), !["http", "https"].contains(scheme) {
      return unsupported(scheme, options, profile, console)
    }
    let transport: (any Transport)? =
      options.url == nil ? nil : recorded?.transport ?? console.overrides.transport ?? URLSessionTransport()
    let (report, signal) =
      if options.isVirtual {
        try await VirtualTransfer(options: options, profile: profile, transport: transport, console: console).run()
      } else {
        try await transfer(options, profile, transport, console)
      }
    show(report, options, console)
    if let signal { return .after(signal: signal) }
    return report.failure == nil ? .done : .failed
  }

  /// Carries it out by the clock on the wall.
  private func transfer(
    _ options: GetOptions, _ profile: NetworkProfile, _ transport: (any Transport)?, _ console: Console
  ) async throws -> (report: GetReport, signal: Int32?) {
    let pace: Pace = console.overrides.runsAtOnce ? .immediate : options.speed == 1 ? .realTime : .scaled(options.speed)
    let network = SimulatedNetwork(profile, seed: options.seed, pace: pace, transport: transport)
    defer { network.invalidate() }
    return try await GetTransfer(options: options, network: network, console: console).run()
  }

  private func show(_ report: GetReport, _ options: GetOptions, _ console: Console) {
    if options.json {
      console.out(report.json)
    } else {
      // What is written to standard output is not to be mixed with words.
      let isTaken = options.takesStandardOutput
      let lines = report.lines(width: console.width, style: isTaken ? console.errorStyle : console.style)
      let text = lines.joined(separator: "\n") + "\n"
      if isTaken { console.error(text) } else { console.out(text) }
    }
    if let failure = report.failure { console.fail("get: \(failure.line)") }
  }

  /// What the simulation does not serve must not reach the real network past it.
  private func unsupported(
    _ scheme: String, _ options: GetOptions, _ profile: NetworkProfile, _ console: Console
  ) -> ExitStatus {
    let failure = Failure(
      sentence: "The scheme \"\(scheme)\" is not supported; http and https are.", code: "unsupportedURL")
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
