import Foundation
import HTMLPages

extension ExplorationReport {
  /// The report as JUnit's XML, which CI systems show: one case for each way to behave.
  ///
  /// - Parameter known: the failing ways to behave that are known, and fail nothing.
  public func junit(known: Set<String> = []) -> String {
    let failing = behaviours.filter { $0.isFailure && !known.contains($0.words) }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      """
      <testsuite name="\(Self.xml("every fault: \(scenario) under \(profile)"))" tests="\(behaviours.count)" \
      failures="\(failing.count)" skipped="0" errors="0">
      """,
    ]
    for behaviour in behaviours {
      let name = "\(Self.grouped(behaviour.points)) points: \(behaviour.words)"
      let head = #"  <testcase classname="\#(Self.xml(scenario))" name="\#(Self.xml(name))""#
      guard behaviour.isFailure, !known.contains(behaviour.words) else {
        lines.append(head + "/>")
        continue
      }
      let failure = failures.first { behaviour.words.hasSuffix("fails: \($0.fingerprint)") }
      let message = "when \(behaviour.example.joined(separator: "; "))"
      lines.append(head + ">")
      lines.append(
        #"    <failure message="\#(Self.xml(message))">\#(Self.xml(failure?.explanation ?? ""))</failure>"#)
      lines.append("  </testcase>")
    }
    lines += ["  <system-out>\(Self.xml(summary))</system-out>", "</testsuite>", ""]
    return lines.joined(separator: "\n")
  }

  /// One line for each way to fail, as GitHub Actions reads annotations from a job's output.
  ///
  /// - Parameter known: the failing ways to behave that are known: they are warnings.
  public func annotations(known: Set<String> = []) -> [String] {
    behaviours.filter(\.isFailure).map { behaviour in
      let level = known.contains(behaviour.words) ? "warning" : "error"
      let failure = failures.first { behaviour.words.hasSuffix("fails: \($0.fingerprint)") }
      let text = [
        "\(Self.grouped(behaviour.points)) points: \(behaviour.words)", failure?.summary ?? "",
        failure.map { "NETCOND_REPLAY=\($0.token)" } ?? "",
      ].filter { !$0.isEmpty }.joined(separator: "\n")
      return "::\(level) title=\(Self.property("\(scenario) under \(profile)"))::\(Self.data(text))"
    }
  }

  private static func data(_ text: String) -> String {
    text.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "\r", with: "%0D")
      .replacingOccurrences(of: "\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: ",", with: "%2C")
  }

  private static func xml(_ text: String) -> String { Markup.escaped(text) }
}
