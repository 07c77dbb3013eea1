import Foundation
import Internals
import NetworkConditions

extension ExplorationReport: CustomStringConvertible {
  /// One screen: the claim, the worst failing behaviours, and how to repeat the worst failure.
  ///
  /// Where nothing fails it says what the client did and what was tried.
  public var description: String {
    guard let worst = failures.first else {
      return Excerpt.fitting([text, [headline, behaviourText(width: 100), effort].joined(separator: "\n\n")])
    }
    let end = "`failures` has each error with its test, and `ExplorationPage` draws everything that was tried."
    var parts = [headline.wrapped(to: 100).joined(separator: "\n"), failingText, otherErrors, end].filter {
      !$0.isEmpty
    }
    let used = Excerpt.height(of: parts.joined(separator: "\n\n"))
    parts.insert(worst.text(in: Excerpt.screen - used - 1), at: 2)
    return parts.joined(separator: "\n\n")
  }

  /// The full report: the claim, each failing behaviour with its token and test, what the client did, and what was tried.
  package var text: String {
    ([headline] + failures.prefix(Self.shown).map(\.explanation) + unshown + [behaviourText(), effort])
      .joined(separator: "\n\n")
  }

  private static let shown = 5

  /// The worst failing behaviours: what the client did in each, and a fault that leads to it.
  private var failingText: String {
    let failing = behaviours.filter(\.isFailure)
    var lines = failing.prefix(Self.shown).flatMap { way in
      // A long URL must not hide the fault behind it.
      let example = way.example.joined(separator: "; ").split(separator: " ").map { word in
        word.count > 60 ? "\(word.prefix(58))…\(word.last == ":" ? ":" : "")" : String(word)
      }
      let head = "\(Self.countedExample(of: way.points)) when \(example.joined(separator: " "))"
      return [head.shortened(to: 100)] + way.words.shortened(to: 190).wrapped(to: 98).map { "  \($0)" }
    }
    if failing.count > Self.shown { lines.append("and \(failing.count - Self.shown) more ways to fail") }
    return lines.joined(separator: "\n")
  }

  private var otherErrors: String {
    guard failures.count > 1 else { return "" }
    let lines = failures.dropFirst().prefix(Self.shown - 1).map {
      "  \($0.count): \($0.fingerprint)".shortened(to: 100)
    }
    let rest = failures.count - 1 - lines.count
    return (["The other errors:"] + lines + (rest > 0 ? ["  and \(rest) more"] : [])).joined(separator: "\n")
  }

  /// The issues that a test records, about one screen together.
  ///
  /// The first has the worst error with all details. A few more have their faults and tokens. The last names the rest.
  package var issues: [String] {
    guard let worst = failures.first else { return [] }
    let hint = "\nA thrown URLError is a failure, too: if the client may throw it, catch it in the test."
    let isThrown = failures.contains { $0.fingerprint.hasPrefix("URLError.") }
    return ["\(worst.explanation)\n\n\(summary)\(isThrown ? hint : "")"]
      + failures.dropFirst().prefix(Self.shown - 1).map(\.shortExplanation) + unshown
  }

  /// The text that names the errors not shown; empty if all are shown.
  private var unshown: [String] {
    let rest = failures.dropFirst(Self.shown).map { "  \($0.count): \($0.fingerprint)" }
    return rest.isEmpty
      ? [] : [(["\(FigureText.count(rest.count, "more error")):"] + rest).joined(separator: "\n")]
  }

  private var effort: String {
    var lines: [String] = []
    if levels.count > 1 {
      let parts = levels.enumerated().map { index, level in
        "\(Self.name(of: index + 1)) \(FigureText.grouped(level.points)) "
          + "in \(FigureText.grouped(level.classes)) classes"
      }
      lines.append("Of these: \(parts.joined(separator: ", ")).")
    }
    if levels.contains(where: { $0.run < $0.points }) {
      let verdict =
        switch splits.count {
        case 0: "which behaved as their classes do"
        case 1: "which showed that one class was really several"
        default: "which showed that \(splits.count) classes were really several"
        }
      lines.append("One point of each class was run, and \(FigureText.grouped(checked)) others, \(verdict).")
    }
    let isShort = virtualTime < 10_000_000_000
    let time: Duration = isShort ? .milliseconds(virtualTime / 1_000_000) : .seconds(virtualTime / 1_000_000_000)
    lines.append("The runs took \(time.formatText) of the client's time.")
    return (lines + [kindsText] + scope).joined(separator: "\n")
  }

  private static func name(of level: Int) -> String {
    switch level {
    case 1: "single faults"
    case 2: "pairs"
    default: "sets of \(level)"
    }
  }

  private static let listed = 10

  private func behaviourText(width most: Int = .max) -> String {
    let columns = ["points", "classes", "what the client did"]
    let width = max(columns[0].count, behaviours.map { FigureText.grouped($0.points).count }.max() ?? 0)
    var lines = ["  \(columns[0].padded(to: width, right: true))  \(columns[1])  \(columns[2])"]
    for behaviour in behaviours.prefix(Self.listed) {
      let points = FigureText.grouped(behaviour.points).padded(to: width, right: true)
      let classes = FigureText.grouped(behaviour.classes).padded(to: columns[1].count, right: true)
      lines.append("\(behaviour.isFailure ? "!" : " ") \(points)  \(classes)  \(behaviour.words)".shortened(to: most))
    }
    if behaviours.count > Self.listed {
      lines.append("  and \(FigureText.count(behaviours.count - Self.listed, "more behaviour"))")
    }
    return lines.joined(separator: "\n")
  }

  static func counted(_ points: Int) -> String {
    "\(FigureText.grouped(points)) point\(points == 1 ? "" : "s")"
  }

  /// The number of points in words, followed by "for example" if a report then describes one of several.
  fileprivate static func countedExample(of points: Int) -> String {
    counted(points) + (points == 1 ? "" : ", for example")
  }
}

extension ExplorationReport.Failure: CustomStringConvertible {
  /// The failure in a few lines: its points, the error, the faults that cause it, and how to repeat it.
  public var description: String { shortExplanation }

  fileprivate var count: String { ExplorationReport.countedExample(of: points) }

  /// The failure with as many details as fit into this number of lines.
  fileprivate func text(in lines: Int) -> String {
    Excerpt.fitting([whole, "\(summary)\n\n\(end)", summary].map { "\(count): \($0)" }, in: lines)
  }

  /// The failure with the number of its points, the faults that cause it, and the code that repeats it.
  public var explanation: String { "\(count): \(text.isEmpty ? fingerprint : whole)" }

  /// The failure in a few lines without a drawing: the error, the faults that cause it, and how to repeat it.
  fileprivate var shortExplanation: String {
    let lines = summary.isEmpty ? fingerprint : summary
    let repeating = token.isEmpty ? [] : ["To repeat it: \(NetworkEnvironment.replayKey)=\(token)"]
    return (["\(count): \(lines)"] + otherForms + repeating).joined(separator: "\n")
  }

  private var whole: String {
    ([text.replacing("\n\nToken:\n\(token)", with: "")] + otherForms + [end]).joined(separator: "\n\n")
  }

  private var otherForms: [String] {
    let message = summary.prefix { !$0.isNewline }
    return [forms?.text(besides: String(message), counted: ExplorationReport.counted)].compactMap { $0 }
  }

  /// The code that repeats the failure, or its token where there is no code.
  private var end: String { code.isEmpty ? "Token:\n\(token)" : code }
}
