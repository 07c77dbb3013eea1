import NetworkConditions

/// How a report prints the code that repeats a failure, in the form of a test framework.
public struct ReplayCode: Sendable {
  /// The parts from which the code is composed.
  public struct Pieces: Sendable {
    /// The faults, each as a comment line with its line break.
    public let comments: String
    /// The arguments that ask for the network, such as `replaying: "netcond1:…", clients: 2`.
    public let arguments: String
    /// A name for a test, on one line and without backticks or backslashes (raw identifiers, SE-0451).
    public let name: String
  }

  let title: String
  private let text: @Sendable (Pieces) -> String

  /// Creates the code for a test framework.
  public init(title: String, _ text: @escaping @Sendable (Pieces) -> String) {
    self.title = title
    self.text = text
  }

  /// The code, with a title, that repeats the schedule to which a failure was cut down.
  func section(_ schedule: FaultSchedule, clients: Int, capturing capture: CaptureMode) -> String {
    let faults = schedule.faults.map { $0.description.split(whereSeparator: \.isNewline).joined(separator: " ") }
    let rest = faults.count > 1 ? " and \(faults.count - 1) more" : ""
    var plain = (faults.first ?? "no fault").filter { $0 != "`" && $0 != "\\" }
    // Whole words only.
    if plain.count > 100, let end = plain.prefix(101).lastIndex(of: " ") { plain = String(plain[..<end]) }
    let pieces = Pieces(
      comments: faults.map { "// \($0)\n" }.joined(),
      arguments: "replaying: \"\(ReplayToken(schedule))\"" + (clients > 1 ? ", clients: \(clients)" : "")
        + (capture.expression.map { ", capturing: \($0)" } ?? ""),
      name: "survives this: \(plain)\(rest)")
    return "\(title):\n\(text(pieces))" + (capture.obstacle.map { "\n\($0)" } ?? "")
  }
}
