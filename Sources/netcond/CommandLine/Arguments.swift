import Internals

struct Arguments: Equatable {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Parses a command line.
  ///
  /// `--name value`, `--name=value`, `-n value` and `-nvalue` set a value; `-vf` is `-v -f`; `--` ends the options; a
  /// single `-` is an operand or a value. An argument that begins with `--` is never a value: write `--data=--x` for
  /// that.
  init(_ words: [String], usage: Usage) throws {
    let options = usage.options + [.help]
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let (option, attached) = try Self.find(word, among: options)
      guard let placeholder = option.value else {
        if let attached {
          guard !word.hasPrefix("--") else { throw UsageError("--\(option.name) takes no value") }
          rest = ["-\(attached)"] + rest
        }
        values[option.name] = []
        continue
      }
      guard let value = attached ?? (rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }) else {
        throw UsageError("--\(option.name) needs a value: --\(option.name) \(placeholder)")
      }
      if attached == nil { rest.removeFirst() }
      guard option.repeats || values[option.name] == nil else {
        throw UsageError("--\(option.name) is given twice")
      }
      values[option.name, default: []].append(value)
    }
    if self[flag: .help] { return }
    let example = usage.examples.first.map { "; write for example \($0)" } ?? ""
    guard operands.count >= usage.count.lowerBound else { throw UsageError("needs \(usage.operands)\(example)") }
    guard operands.count <= usage.count.upperBound else {
      throw UsageError("\"\(operands[usage.count.upperBound])\" is an extra argument\(example)")
    }
  }

  subscript(flag option: Option) -> Bool { values[option.name] != nil }

  subscript(option: Option) -> String? { values[option.name]?.first }

  subscript(all option: Option) -> [String] { values[option.name] ?? [] }

  /// Returns an option's value, read by `parse`; throws an error that names the value and what is `expected`.
  func value<Value>(of option: Option, such expected: String, _ parse: (String) -> Value?) throws -> Value? {
    guard let text = self[option] else { return nil }
    guard let value = parse(text) else {
      throw UsageError("--\(option.name): \"\(text)\" is not \(expected)")
    }
    return value
  }

  func set<Value>(
    _ target: inout Value, to option: Option, such expected: String, _ parse: (String) -> Value?
  ) throws {
    target = try value(of: option, such: expected, parse) ?? target
  }

  static func number<Value: LosslessStringConvertible>(_ text: String, in range: ClosedRange<Value>) -> Value? {
    Value(text).flatMap { range.contains($0) ? $0 : nil }
  }

  private static func find(_ word: String, among options: [Option]) throws -> (Option, value: String?) {
    if word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if let option = options.first(where: { $0.name == name }) {
        return (option, parts.count > 1 ? String(parts[1]) : nil)
      }
      guard !["cacert", "insecure"].contains(name) else {
        throw UsageError(
          "there is no --\(name): the session trusts only the system's certificates; add yours to them, on "
            + "Linux with update-ca-certificates, on a Mac in the keychain")
      }
      let near = NearNames.find(name, among: options.map(\.name), atMost: 3).map { "--\($0)" }
      throw UsageError("unknown option --\(name)\(NearNames.question(near) ?? "; --help lists the options")")
    }
    let letter = word.dropFirst().first
    if let option = options.first(where: { $0.short == letter }) {
      let rest = word.dropFirst(2)
      return (option, rest.isEmpty ? nil : String(rest))
    }
    throw UsageError("unknown option \(word); --help lists the options")
  }
}
