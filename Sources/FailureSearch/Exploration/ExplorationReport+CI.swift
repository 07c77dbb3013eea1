import HTMLPages
import Internals

extension ExplorationReport {
  /// The report as JUnit XML for CI systems, with one test case for each behaviour.
  ///
  /// - Parameter known: the failing behaviours that are accepted; their cases pass.
  public func junit(known: Set<String> = []) -> String {
    let failing = behaviours.filter { $0.isFailure && !known.contains($0.words) }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      """
      <testsuite name="\(Markup.escaped("every fault: \(scenario) under \(profile)"))" tests="\(behaviours.count)" \
      failures="\(failing.count)" skipped="0" errors="0">
      """,
    ]
    for behaviour in behaviours {
      let name = "\(Self.counted(behaviour.points)): \(behaviour.words)"
      let head = #"  <testcase classname="\#(Markup.escaped(scenario))" name="\#(Markup.escaped(name))""#
      guard behaviour.isFailure, !known.contains(behaviour.words) else {
        lines.append(head + "/>")
        continue
      }
      let failure = failures.first { behaviour.words.hasSuffix("fails: \($0.fingerprint)") }
      let message = "when \(behaviour.example.joined(separator: "; "))"
      lines.append(head + ">")
      lines.append(
        #"    <failure message="\#(Markup.escaped(message))">\#(Markup.escaped(failure?.explanation ?? ""))</failure>"#)
      lines.append("  </testcase>")
    }
    lines += ["  <system-out>\(Markup.escaped(summary))</system-out>", "</testsuite>", ""]
    return lines.joined(separator: "\n")
  }

  /// One GitHub Actions annotation for each failing behaviour.
  ///
  /// - Parameter known: the failing behaviours that are accepted; their annotations are warnings.
  public func annotations(known: Set<String> = []) -> [String] {
    behaviours.filter(\.isFailure).map { behaviour in
      let level = known.contains(behaviour.words) ? "warning" : "error"
      let failure = failures.first { behaviour.words.hasSuffix("fails: \($0.fingerprint)") }
      let text = [
        "\(Self.counted(behaviour.points)): \(behaviour.words)", failure?.summary ?? "",
        failure.map { "NETCOND_REPLAY=\($0.token)" } ?? "",
      ].filter { !$0.isEmpty }.joined(separator: "\n")
      return "::\(level) title=\("\(scenario) under \(profile)".annotationTitle)::\(text.annotationText)"
    }
  }
}
