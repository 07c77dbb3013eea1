import NetworkConditions

/// A test, ready to be pasted, that repeats a schedule and calls what failed under it.
struct TestCode: CustomStringConvertible {
  private let schedule: FaultSchedule
  private let clients: Int
  private let call: String

  init(_ schedule: FaultSchedule, clients: Int, call: String) {
    self.schedule = schedule
    self.clients = clients
    self.call = call
  }

  var description: String {
    let comments = schedule.faults.map { "// \(Self.line($0.description))\n" }.joined()
    let count = clients > 1 ? ", clients: \(clients)" : ""
    return """
      \(comments)@Test(.network(replaying: "\(ReplayToken(schedule))"\(count)))
      func `\(name)`() async throws {
        \(call)
      }
      """
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
