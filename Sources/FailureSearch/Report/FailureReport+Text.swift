import Internals
import NetworkConditions

extension FailureReport: CustomStringConvertible {
  /// One screen: each failure with its faults, its timeline, and the test to commit; of many failures, only the first.
  public var description: String {
    let range = "seeds \(seeds.lowerBound)..<\(seeds.upperBound)"
    let names = profiles.map { "\"\($0)\"" }.joined(separator: ", ")
    guard !failures.isEmpty else {
      return "No failure in \(runs) runs under \(names), \(range); \(share)."
    }
    let whole = failures.map { text($0) }.joined(separator: "\n\n")
    return Excerpt.fitting([whole, text(failures[0]) + rest, text(failures[0], isWhole: false) + rest])
  }

  private func text(_ failure: FoundFailure, isWhole: Bool = true) -> String {
    "\(failure.head(runs: runs)); \(share)\n\n\(body(failure, isWhole: isWhole))"
  }

  private var rest: String {
    guard failures.count > 1 else { return "" }
    let lines = failures.dropFirst().prefix(5).map { failure in
      "  \(failure.message.split(whereSeparator: \.isNewline).joined(separator: " ")), seed \(failure.seed)".shortened(
        to: 100)
    }
    return
      (["\n\nThe first of \(failures.count) failures. `failures` has each in whole:"] + lines
      + (failures.count > 6 ? ["  and \(failures.count - 6) more"] : [])).joined(separator: "\n")
  }

  private var share: String { "\(runsWithFaults) of \(runs) met a fault" }

  /// A sentence for a search that shows nothing, because no fault happened in it; `nil` for all others.
  package var idleText: String? {
    guard failures.isEmpty, runs > 1, runsWithFaults == 0 else { return nil }
    guard madeRequests else { return "None of \(runs) runs made a request: give the client the network's session." }
    let names = Set(profiles).sorted().map(\.quoted).joined(separator: ", ")
    return
      "None of \(runs) runs met a fault under \(names): take a profile that has some, such as \"flaky\", or `everyFault: 1`."
  }

  package var explanation: String {
    failures.map { "\($0.summary)\n\n\(body($0, repeatsSummary: false))" }.joined(separator: "\n\n")
  }

  private func body(_ failure: FoundFailure, repeatsSummary: Bool = true, isWhole: Bool = true) -> String {
    guard let code, case .shrunk(let shrunk) = failure.outcome else {
      return failure.body(repeatsSummary: repeatsSummary, isWhole: isWhole)
    }
    // The code contains the token.
    let body = failure.body(repeatsSummary: repeatsSummary, isWhole: isWhole, hasToken: false)
    return "\(body)\n\n\(code.section(shrunk.schedule, clients: shrunk.clients, capturing: capture))"
  }
}

extension FoundFailure: CustomStringConvertible {
  /// One screen: the failure and its faults, with a drawing and the token.
  public var description: String { Excerpt.fitting([text, "\(head(runs: nil))\n\n\(body(isWhole: false))"]) }

  var text: String { "\(head(runs: nil))\n\n\(body())" }

  /// The failure and the faults that cause it, in three lines at most.
  public var summary: String {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    let head = "\(line)\nunder \"\(profile)\", seed \(seed)"
    switch outcome {
    case .shrunk(let shrunk):
      let faults = shrunk.schedule.faults.map(\.description).joined(separator: "; ")
      return "\(head)\nIt takes: \(faults)\(shrunk.clients > 1 ? " (with \(shrunk.clients) clients)" : "")"
    case .withoutFault:
      return "\(head)\n\(FailureText.withoutFault)"
    case .notReproduced(let reason), .notRepeated(let reason): return "\(head)\nIt was not cut down: \(reason)."
    }
  }

  func head(runs: Int?) -> String { "\(message)\n\(found(runs))" }

  fileprivate func body(repeatsSummary: Bool = true, isWhole: Bool = true, hasToken: Bool = true) -> String {
    var parts: [String] = []
    if let details { parts.append(isWhole ? details : Excerpt.fitting([details], in: 8)) }
    switch outcome {
    case .withoutFault:
      guard repeatsSummary else { break }
      parts.append(FailureText.withoutFault)
    case .notReproduced(let reason):
      parts.append("It cannot be cut down, because it does not happen again: \(reason).\n\(FailureText.unsteady)")
    case .notRepeated(let reason): if repeatsSummary { parts.append("It was not cut down: \(reason).") }
    case .shrunk(let shrunk):
      parts.append(shrunk.text(listsFaults: repeatsSummary, isWhole: isWhole))
    }
    if let others = forms?.text(besides: message, counted: { FigureText.count($0, "run") }) { parts.append(others) }
    parts.append(isWhole ? drawing : "`timelineText` has the drawing and everything else.")
    if hasToken { parts.append("Token:\n\(token)") }
    return parts.joined(separator: "\n\n")
  }

  private func found(_ runs: Int?) -> String {
    var text = "under \"\(profile)\", seed \(seed)"
    if let runs {
      text += ", in \(seedCount) of \(FigureText.count(runs, "run"))"
    }
    return text
  }
}

extension FoundFailure.Shrunk {
  fileprivate func text(listsFaults: Bool, isWhole: Bool) -> String {
    let count = FigureText.count(schedule.faults.count, "fault")
    let isCutDown = originalFaults > schedule.faults.count
    var text = "It takes \(count)" + (isCutDown ? " of the \(originalFaults) that happened" : "")
    if listsFaults {
      let lines = schedule.faults.map { "  \($0)" }
      text += ":\n"
      text += isWhole ? lines.joined(separator: "\n") : Excerpt.fitting([lines.joined(separator: "\n")], in: 10)
      if clients > 1 { text += "\nand \(clients) clients." }
      text += "\n"
    } else {
      // The summary has the faults.
      text = isCutDown ? "\(text).\n" : ""
    }
    text += "It failed in \(failedReruns) of \(confirmingReruns) runs of this schedule"
    text += courses == 1 ? ", which all took the same course." : ", which took \(courses) different courses."
    if failedReruns < confirmingReruns { text += " \(FailureText.unsteady)" }
    if !isComplete {
      let less = schedule.faults.count == 1 ? "a weaker fault" : "fewer or weaker faults"
      text += "\nThe limit of runs was reached: \(less) may be enough."
    }
    return text
  }
}
