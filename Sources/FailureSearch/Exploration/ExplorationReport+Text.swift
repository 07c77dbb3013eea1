import Foundation
import NetworkConditions

extension ExplorationReport: CustomStringConvertible {
  /// The bound, what the client did, what was not covered, and each failure with what it takes.
  public var description: String {
    var parts = [head, behaviourText]
    parts += failures.map(\.explanation)
    return parts.joined(separator: "\n\n")
  }

  private var head: String {
    var lines = [summary]
    lines.append(kindsText)
    if levels.count > 1 {
      let parts = levels.enumerated().map { index, level in
        "\(Self.name(of: index + 1)) \(Self.grouped(level.points)) in \(Self.grouped(level.classes)) classes"
      }
      lines.append("Of these: \(parts.joined(separator: ", ")).")
    }
    if levels.contains(where: { $0.run < $0.points }) {
      let verdict =
        switch splits.count {
        case 0: "which behaved as their classes do"
        case 1: "by which one class turned out to be several"
        default: "by which \(splits.count) classes turned out to be several"
        }
      lines.append("One point of each class was run, and \(Self.grouped(checked)) others, \(verdict).")
    }
    let time = Duration.seconds(virtualTime / 1_000_000_000)
    lines.append("The runs took \(time.formatText) of the client's time.")
    return lines.joined(separator: "\n")
  }

  private static func name(of level: Int) -> String {
    switch level {
    case 1: "single faults"
    case 2: "pairs"
    default: "sets of \(level)"
    }
  }

  /// The most ways to behave that are listed.
  private static let listed = 40

  private var behaviourText: String {
    let columns = ["points", "classes", "what the client did", "for example"]
    let width = max(columns[0].count, behaviours.map { Self.grouped($0.points).count }.max() ?? 0)
    var lines = ["  \(Self.right(columns[0], width))  \(columns[1])  \(columns[2])"]
    for behaviour in behaviours.prefix(Self.listed) {
      let points = Self.right(Self.grouped(behaviour.points), width)
      let classes = Self.right(Self.grouped(behaviour.classes), columns[1].count)
      lines.append("\(behaviour.isFailure ? "!" : " ") \(points)  \(classes)  \(behaviour.words)")
      lines.append(
        "  \(Self.right("", width + columns[1].count + 2))  when \(behaviour.example.joined(separator: "; "))")
    }
    if behaviours.count > Self.listed { lines.append("  and \(behaviours.count - Self.listed) more ways to behave") }
    return lines.joined(separator: "\n")
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// A number with a comma before each group of three digits.
  static func grouped(_ number: Int) -> String {
    var text = ""
    let digits = String(number)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }
}

extension ExplorationReport.Failure {
  /// The failure with the number of its points, the faults that it takes, and the code that repeats it.
  public var explanation: String {
    let count = points == 1 ? "1 point" : "\(ExplorationReport.grouped(points)) points"
    return ["\(count): \(text.isEmpty ? fingerprint : text)", code].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}
