import Internals
import NetworkConditions
import RetryBenchmark

struct ExplainCommand: Subcommand {
  static let name = "explain"
  static let abstract = "say what a refusal or an error means, and what to do"
  static let usage = Usage(
    operands: "[NAME|MESSAGE]", count: 0...1, options: [.json],
    examples: [
      "netcond explain deadlock", "netcond explain 'Nothing can happen any more at 60 s …'", "netcond explain",
    ],
    notes: ["Without a name, it lists them all. The page \"When it says no\" has the same text."])

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    guard let text = arguments.operands.first else {
      let json: JSON = ["explanations": .array(Explanation.all.map(Self.json))]
      console.show(arguments[flag: .json] ? json : nil) { width, style in
        var table = Table(columns: [.left("name", .strong), .left("words of the message")])
        table.rows = Explanation.all.map { [Table.Cell($0.name), Table.Cell($0.words)] }
        return table.lines(width: width, style: style, heading: true, widths: table.widths)
      }
      return .done
    }
    guard let found = Explanation.find(text) else {
      if let policy = RetryScenario.named.first(where: { $0.name == text }) {
        let json: JSON = ["name": .string(policy.name), "policy": .string(policy.plan)]
        console.show(arguments[flag: .json] ? json : nil) { width, _ in
          "\(text.quoted) is the policy \(policy.plan); netcond retry --help lists all".wrapped(to: width)
        }
        return .done
      }
      let near = NearNames.find(text, among: Explanation.all.map(\.name), atMost: 3).map(\.quoted)
      throw UsageError(
        "no explanation is called \(text.quoted)\(NearNames.question(near) ?? "; netcond explain lists them all")")
    }
    console.show(arguments[flag: .json] ? Self.json(found) : nil) { width, style in
      let width = min(width, 100)
      return [style(.strong, found.name) + ": " + found.words, ""] + found.why.wrapped(to: width) + [""]
        + found.remedy.wrapped(to: width)
    }
    return .done
  }

  private static func json(_ explanation: Explanation) -> JSON {
    [
      "name": .string(explanation.name), "words": .string(explanation.words), "why": .string(explanation.why),
      "remedy": .string(explanation.remedy),
    ]
  }
}
