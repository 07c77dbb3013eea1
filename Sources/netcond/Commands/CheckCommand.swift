import Internals
import NetworkConditions

struct CheckCommand: Subcommand {
  static let name = "check"
  static let abstract = "check profiles in files, and say where each is wrong"
  static let usage = Usage(
    operands: "FILE ...", count: 1...10_000, options: [.json],
    examples: ["netcond check our-train.json"],
    inCode: "NetworkProfile.profiles(contentsOf:).",
    notes: ["Exit status: 0 when all are good, 1 when one is not, 2 wrong usage."])

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let findings = arguments.operands.map { path -> (path: String, outcome: Result<[NetworkProfile], any Error>) in
      let read = { try Input.read(path, file: NetworkProfile.profiles(contentsOf:), stream: NetworkProfile.profiles) }
      return (path, Result(catching: read))
    }
    let bad = findings.filter { if case .failure = $0.outcome { true } else { false } }.count
    if arguments[flag: .json] {
      let files = findings.map { path, outcome -> JSON in
        let names = (try? outcome.get())?.map { JSON.string($0.name) }
        let error = if case .failure(let error) = outcome { Failure(error).sentence } else { String?.none }
        return [
          "file": .string(path), "valid": .bool(error == nil), "profiles": .array(names ?? []), "error": JSON(error),
        ]
      }
      console.out(["valid": .bool(bad == 0), "files": .array(files)])
    } else {
      for finding in findings { console.out(Self.line(finding.path, finding.outcome, console.style) + "\n") }
    }
    guard case .failure(let error)? = findings.map(\.outcome).first(where: { (try? $0.get()) == nil }) else {
      return .done
    }
    let words = "check: \(bad) of \(FigureText.count(findings.count, "file")) \(bad == 1 ? "is" : "are") wrong"
    console.fail(Failure(error).explanation.ending(words))
    return .failed
  }

  private static func line(_ path: String, _ outcome: Result<[NetworkProfile], any Error>, _ style: Style) -> String {
    switch outcome {
    case .success(let profiles):
      let names = profiles.prefix(3).map { "\"\($0.name.printable)\"" }.joined(separator: ", ")
      let more = profiles.count > 3 ? ", ... \(profiles.count) profiles" : ""
      return "\(style(.good, "good"))  \(path.printable)  \(style(.faint, names + more))"
    case .failure(let error):
      let (failure, name) = (Failure(error), Input.name(path))
      let sentence = failure.sentence
      // Files in different folders may have the same name.
      let text = sentence.hasPrefix("\(name): ") ? path + sentence.dropFirst(name.count) : sentence
      let isBuiltIn = failure.explanation == .unreadableFile && (try? NetworkProfile.named(path)) != nil
      let hint = isBuiltIn ? "; it is a built-in profile: see netcond show \(path.quoted)" : ""
      return "\(style(.bad, "bad "))  \(text.printable)\(hint)"
    }
  }
}
