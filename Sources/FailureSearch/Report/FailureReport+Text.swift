import NetworkConditions

extension FailureReport: CustomStringConvertible {
  /// The report in words: each failure, the faults that it takes, its timeline, and the test to commit.
  public var description: String {
    let range = "seeds \(seeds.lowerBound)..<\(seeds.upperBound)"
    let names = profiles.map { "\"\($0)\"" }.joined(separator: ", ")
    guard !failures.isEmpty else {
      return "No failure in \(runs) runs under \(names), \(range); \(share)."
    }
    return failures.map { "\($0.head(runs: runs)); \(share)\n\n\(body($0))" }.joined(separator: "\n\n")
  }

  private var share: String { "\(runsWithFaults) of \(runs) met a fault" }

  /// Each failure and its faults, in three lines at most, and then all that is known about it.
  package var explanation: String {
    failures.map { "\($0.summary)\n\n\(body($0, repeatsSummary: false))" }.joined(separator: "\n\n")
  }

  /// All that is known about a failure but the head, and the code that repeats it.
  private func body(_ failure: FoundFailure, repeatsSummary: Bool = true) -> String {
    let body = failure.body(repeatsSummary: repeatsSummary)
    guard let code, case .shrunk(let shrunk) = failure.outcome else { return body }
    return "\(body)\n\n\(code.section(shrunk.schedule, clients: shrunk.clients, capturing: capture))"
  }
}

extension FoundFailure: CustomStringConvertible {
  /// The failure and its faults, with a drawing and the token.
  public var description: String { "\(head(runs: nil))\n\n\(body())" }

  /// The failure and the faults that it takes, in three lines at most.
  public var summary: String {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    let head = "\(line)\nunder \"\(profile)\", seed \(seed)"
    switch outcome {
    case .shrunk(let shrunk):
      let faults = shrunk.schedule.faults.map(\.description).joined(separator: "; ")
      return "\(head)\nIt takes: \(faults)\(shrunk.clients > 1 ? " (with \(shrunk.clients) clients)" : "")"
    case .withoutFault:
      return "\(head)\nIt fails without any fault: the network's conditions have nothing to do with it."
    case .notReproduced(let reason), .notRepeated(let reason): return "\(head)\nIt was not cut down: \(reason)."
    }
  }

  func head(runs: Int?) -> String { "\(message)\n\(found(runs))" }

  /// All but the head and the code.
  fileprivate func body(repeatsSummary: Bool = true) -> String {
    var parts: [String] = []
    if let details { parts.append(details) }
    switch outcome {
    case .withoutFault:
      guard repeatsSummary else { break }
      parts.append("It fails without any fault: the network's conditions have nothing to do with it.")
    case .notReproduced(let reason):
      parts.append("It cannot be cut down, because it does not come again: \(reason).\n\(nondeterminism)")
    case .notRepeated(let reason): if repeatsSummary { parts.append("It was not cut down: \(reason).") }
    case .shrunk(let shrunk):
      parts.append(shrunk.text)
    }
    parts.append(drawing)
    parts.append("Token:\n\(token)")
    return parts.joined(separator: "\n\n")
  }

  private func found(_ runs: Int?) -> String {
    var text = "under \"\(profile)\", seed \(seed)"
    if let runs {
      text +=
        seedCount == 1 ? ", in run \(runs) of the search" : ", and with \(seedCount - 1) more seeds of \(runs) runs"
    }
    return text
  }

  private var nondeterminism: String {
    "Look for what depends on something else than the network: the time of day, unkeyed random numbers, or state that outlives a run."
  }
}

extension FoundFailure.Shrunk {
  fileprivate var text: String {
    let count = schedule.faults.count == 1 ? "1 fault" : "\(schedule.faults.count) faults"
    var text = "It takes \(count) of the \(originalFaults) that happened:\n"
    text += schedule.faults.map { "  \($0)" }.joined(separator: "\n")
    if clients > 1 { text += "\nand \(clients) clients." }
    text += "\nIt failed in \(failedReruns) of \(confirmingReruns) runs of this schedule"
    text += courses == 1 ? ", which all took the same course." : ", which took \(courses) different courses."
    if !isComplete { text += "\nThe limit of \(reruns) runs was reached: there may be still less to it." }
    return text
  }
}
