import Internals
import NetworkConditions

/// The options of a command of a Go program: `--name value`, `--name=value` and `--flag`, with one hyphen or two.
struct CommandOptions {
  /// All accepted names of options, each with the name under which its value is stored.
  let names: [String: String]
  let flags: Set<String>
  private(set) var given: [(name: String, value: Word)] = []

  /// Defines options with a value and flags without one; short names follow after a space: `"time t"`.
  init(_ values: [String], flags: [String] = []) {
    func split(_ texts: [String]) -> [[String]] { texts.map { $0.split(separator: " ").map(String.init) } }
    let all = (split(values) + split(flags)).flatMap { names in names.map { ($0, names[0]) } }
    self.names = Dictionary(all) { first, _ in first }
    self.flags = Set(split(flags).map { $0[0] })
  }

  subscript(_ name: String) -> Word? { given.last { $0.name == name }?.value }

  mutating func take(from words: inout ArraySlice<Word>, of command: String) throws(ProfileError) {
    while let word = words.first, word.text.hasPrefix("-"), word.text != "-" {
      words.removeFirst()
      if word.text == "--" { return }
      let bare = word.text.drop { $0 == "-" }
      let written = String(bare.prefix { $0 != "=" })
      guard let name = names[written] else {
        let near = NearNames.find(written, among: names.keys.filter { $0.count > 1 }.sorted(), atMost: 2)
        let known = Set(names.values).sorted().map { "--\($0)" }.joined(separator: ", ")
        let remedy = NearNames.question(near.map { "--\($0)" }) ?? "; it has \(known)"
        throw word.error("\(word.shown) is not an option of \(command)\(remedy)")
      }
      var value = word
      if let equals = bare.firstIndex(of: "=") {
        value.text = String(bare[equals...].dropFirst())
        value.place.column += word.text.unicodeScalars.count - value.text.unicodeScalars.count
        if flags.contains(name) {
          guard ["true", "false"].contains(value.text) else {
            throw value.error("\(value.shown) is neither true nor false; write --\(name) alone")
          }
          if value.text == "false" { continue }
        }
      } else if !flags.contains(name) {
        guard let next = words.popFirst() else { throw word.error("a value should follow \(word.shown)") }
        value = next
      }
      given.append((name, value))
    }
  }

  func whole(_ name: String, _ range: ClosedRange<Int64>, otherwise: Int64, _ start: Word) throws(ProfileError) -> Word
  {
    guard let word = self[name] else { return Word(text: "\(otherwise)", place: start.place) }
    return Word(text: "\(try NetemUnits.whole(word, range, "the number of --\(name)"))", place: word.place)
  }
}
