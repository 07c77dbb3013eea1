import Internals
package import NetworkConditions

/// The note to a failed run: the profile, the faults, and the ways to repeat it.
package struct RunNote: Sendable, CustomStringConvertible {
  private let token: ReplayToken
  private let faults: [ScheduledFault]
  private static let listed = 3

  package init(_ token: ReplayToken, in network: SimulatedNetwork?) {
    self.init(token, faults: network?.faultSchedule?.faults ?? [])
  }

  package init(_ token: ReplayToken, faults: [ScheduledFault]) {
    self.token = token
    self.faults = faults
  }

  /// The text to print when a run ends the process.
  ///
  /// - Parameters:
  ///   - name: what the run is of.
  ///   - isSearch: whether the run is one of many.
  ///   - isRepeated: whether a worker process made the run before, and this process repeats it to describe it.
  ///   - record: the line for the file of known failures.
  func crashReport(of name: String?, isSearch: Bool, isRepeated: Bool, record: CrashReporter.Record?) -> CrashReporter {
    let text = name.map { "\(crashReport)\nIt is a run of \($0)." } ?? crashReport
    var hint: String?
    if isRepeated {
      hint = "This run did not end a process of `workers`: look at what earlier runs leave in static objects."
    } else if isSearch, Self.canIsolate {
      hint = "With `workers: .processes()` a trap is a failure like any other: it is cut down, and the tests go on."
    }
    return CrashReporter(text, hint: hint, record: record)
  }

  /// Whether a search could use worker processes here; a worker process cannot start others.
  private static var canIsolate: Bool { FailureSearch.Workers.canRunTests && WorkerPost.current == nil }

  var crashReport: String {
    let environment =
      switch token.content {
      case .schedule: ""
      case .seed(let seed, _, _): "\(NetworkEnvironment.seedKey)=\(seed) or "
      }
    return "\(head)\nTo repeat it: \(environment)\(NetworkEnvironment.replayKey)=\(token)"
  }

  private var head: String {
    switch token.content {
    case .schedule(let schedule):
      "under \"\(schedule.profile.name)\" \(schedule.faults.isEmpty ? "without a fault" : "with a schedule of faults")"
    case .seed(let seed, let profile, _): "under \"\(profile.name)\", seed \(seed)"
    }
  }

  package var description: String {
    switch token.content {
    case .schedule(let schedule):
      return "\(head)\n\(schedule.faults.isEmpty ? "It has no fault." : "It has: \(Self.list(schedule.faults))")"
    case .seed(let seed, _, _):
      let (next, overflow) = seed.addingReportingOverflow(1)
      var lines = [head]
      lines.append(faults.isEmpty ? "Until then no fault had happened." : "Until then: \(Self.list(faults))")
      if !faults.isEmpty, !overflow {
        lines.append("To cut it down, write `seeds: \(seed)..<\(next)` in place of the seed.")
      }
      lines.append("To repeat it: NETCOND_REPLAY=\(token)")
      return lines.joined(separator: "\n")
    }
  }

  /// Lists the faults for people: without the jitter of packets, and lost packets as a number.
  private static func list(_ faults: [ScheduledFault]) -> String {
    let others = faults.filter { !$0.isOfPacket }
    let lost = faults.count(where: \.isLoss)
    var parts = others.suffix(listed).map(\.description)
    if others.count > listed { parts.insert(FigureText.count(others.count - listed, "earlier fault"), at: 0) }
    if lost > 0 { parts.append("\(FigureText.count(lost, "packet")) lost") }
    return parts.isEmpty ? "nothing but the jitter of packets" : parts.joined(separator: "; ")
  }
}

extension ScheduledFault {
  fileprivate var isOfPacket: Bool {
    if case .packet = kind { true } else { false }
  }
}
