import Foundation

/// The mutations of one module, read from a text file.
///
/// A line begins with one of these words; lines with `#` are comments:
/// ```
/// tests LinkSimulatorTests NetworkConditionsTests
/// file Link/Link.swift
/// sees A full queue takes one packet more.
/// - tail - waiting >= parameters.queue
/// + tail - waiting > parameters.queue
/// lives The reason for which no test can notice it.
/// ```
/// `sees` comes before its mutation, `lives` after it. Statements stand in braces: `- { count += 1 }`, `+ { }`.
struct MutationList: Sendable {
  var module: String
  /// The test targets that may notice a mutation, in the order in which they run.
  var tests: [String] = []
  var mutations: [Mutation] = []

  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  init(module: String, text: String) throws {
    self.module = module
    var path = ""
    var effect = ""
    var original: String?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard let word = words.first, !line.isEmpty, !line.hasPrefix("#") else { continue }
      let rest = words.count > 1 ? String(words[1]).trimmingCharacters(in: .whitespaces) : ""
      switch word {
      case "tests": tests = rest.split(separator: " ").map(String.init)
      case "file": path = rest
      case "sees": effect = rest
      case "lives" where !mutations.isEmpty: mutations[mutations.count - 1].reason = rest
      case "-" where !path.isEmpty && !effect.isEmpty: original = rest
      case "+":
        guard let before = original else { throw Self.mistake(module, index, line) }
        let isStatement = before.hasPrefix("{") && rest.hasPrefix("{")
        mutations.append(
          Mutation(
            module: module, number: mutations.count + 1, path: path,
            original: isStatement ? Self.inner(before) : before, mutated: isStatement ? Self.inner(rest) : rest,
            isStatement: isStatement, effect: effect))
        (original, effect) = (nil, "")
      default: throw Self.mistake(module, index, line)
      }
    }
  }

  private static func inner(_ statement: String) -> String {
    String(statement.dropFirst().dropLast()).trimmingCharacters(in: .whitespaces)
  }

  private static func mistake(_ module: String, _ index: Int, _ line: Substring) -> Mistake {
    Mistake(description: "\(module).txt:\(index + 1): \"\(line)\" stands in no place for it; see MutationList.swift")
  }

  /// All lists, sorted by name.
  static func all(in root: URL) throws -> [MutationList] {
    let folder = root.appending(path: "Sources/Development/Mutations/Lists")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }.sorted()
      .map { name in
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return try MutationList(module: String(name.dropLast(4)), text: text)
      }
  }
}
