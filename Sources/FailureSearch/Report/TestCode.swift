import NetworkConditions

/// A test, ready to be pasted, that repeats a schedule and calls what failed under it; or its trait alone.
struct TestCode: CustomStringConvertible {
  /// What a test needs beside its schedule.
  struct Surroundings: Sendable {
    /// How it calls what failed; `nil` where it cannot be called from elsewhere.
    var call: String?
    /// What it captures, as code.
    var capture: String?
    /// Whether it is a call of `withNetwork` that is repeated, and no trait.
    var isXCTest = false
  }

  private let schedule: FaultSchedule
  private let clients: Int
  private let surroundings: Surroundings

  init(_ schedule: FaultSchedule, clients: Int, in surroundings: Surroundings) {
    self.schedule = schedule
    self.clients = clients
    self.surroundings = surroundings
  }

  var description: String {
    let comments = schedule.faults.map { "// \(Self.line($0.description))\n" }.joined()
    guard let call = surroundings.call else {
      return comments
        + (surroundings.isXCTest ? "try await with\(network("Network")) { network in" : ".\(network("network"))")
    }
    return """
      \(comments)@Test(.\(network("network")))
      func `\(name)`() async throws {
        \(call)
      }
      """
  }

  private func network(_ name: String) -> String {
    let count = clients > 1 ? ", clients: \(clients)" : ""
    let capture = surroundings.capture.map { ", capturing: \($0)" } ?? ""
    return "\(name)(replaying: \"\(ReplayToken(schedule))\"\(count)\(capture))"
  }

  /// A name that a raw identifier can be (SE-0451): on one line, without backticks and backslashes.
  private var name: String {
    let first = schedule.faults.first.map { Self.line($0.description) } ?? "no fault"
    let rest = schedule.faults.count > 1 ? " and \(schedule.faults.count - 1) more" : ""
    let plain = first.filter { $0 != "`" && $0 != "\\" }
    return "survives when \(plain.prefix(100))\(rest)"
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
