import NetworkConditions

/// Splits a shell script into words.
///
/// It handles quotation marks, continued lines, comments, plain variables and `${NAME:-default}`. Redirections are left
/// out, and a variable without a known value stays as written.
struct ShellWords {
  enum Element {
    case command([Word])
    case comment(String)
  }

  private let scalars: [Unicode.Scalar]
  private var place: Place
  private var position = 0
  private var variables: [String: String] = [:]

  private(set) var elements: [Element] = []
  private var words: [Word] = []
  /// How many more bytes variables may expand to: nested variables can double the text each time.
  private var budget = 1 << 20

  private static let mostWords = 100_000
  /// The longest word after its variables are expanded.
  private static let longestWord = 10_000

  static func parse(_ text: String, at start: Place) throws(ProfileError) -> [Element] {
    var parser = ShellWords(scalars: Array(text.unicodeScalars), place: start)
    try parser.run()
    return parser.elements
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func advance() {
    if scalars[position] == "\n" {
      place.line += 1
      place.column = 1
    } else {
      place.column += 1
    }
    position += 1
  }

  private mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    while let next = peek, isWanted(next) {
      text.append(next)
      advance()
    }
    return String(text)
  }

  private mutating func run() throws(ProfileError) {
    if let index = scalars.firstIndex(of: "\0") {
      let before = scalars[..<index]
      place.line += before.count(where: { $0 == "\n" })
      throw place.error("a script is text, but this line has a byte that is zero")
    }
    var count = 0
    while let scalar = peek {
      switch scalar {
      case "\n", ";", "&", "|", "(", ")", "`":
        endCommand()
        advance()
      case " ", "\t", "\r":
        advance()
      case "#":
        let text = take { $0 != "\n" }
        endCommand()
        elements.append(.comment(text))
      case "\\" where isLineBreak(after: position):
        _ = take { $0 != "\n" }
        if peek != nil { advance() }
      case "<", ">":
        try skipRedirection()
      default:
        count += 1
        guard count <= Self.mostWords else {
          throw place.error("more than \(Self.mostWords) words are too many for a script")
        }
        let word = try self.word()
        // The 2 of `2>/dev/null` is part of the redirection.
        if peek == ">", word.text.count == 1, "012".contains(word.text) { continue }
        words.append(word)
      }
    }
    endCommand()
  }

  private func isLineBreak(after position: Int) -> Bool {
    let next = position + 1
    guard next < scalars.count else { return false }
    return scalars[next] == "\n" || (scalars[next] == "\r" && next + 1 < scalars.count && scalars[next + 1] == "\n")
  }

  private mutating func skipRedirection() throws(ProfileError) {
    _ = take { "<>&".unicodeScalars.contains($0) }
    _ = take { $0 == " " || $0 == "\t" }
    if let next = peek, !Self.endsWord(next) { _ = try word() }
  }

  private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\t", "\r", "\n", ";", "&", "|", "(", ")", "`", "<", ">": true
    default: false
    }
  }

  private mutating func word() throws(ProfileError) -> Word {
    let start = place
    var text = ""
    while let scalar = peek, !Self.endsWord(scalar) {
      switch scalar {
      case "'":
        advance()
        text += take { $0 != "'" }
        guard peek != nil else { throw start.error("the quotation mark ' is not closed") }
        advance()
      case "\"":
        advance()
        while let next = peek, next != "\"" {
          if next == "$" {
            text += try variable(start)
          } else {
            if next == "\\", position + 1 < scalars.count { advance() }
            text.unicodeScalars.append(scalars[position])
            advance()
          }
        }
        guard peek != nil else { throw start.error("the quotation mark \" is not closed") }
        advance()
      case "$":
        text += try variable(start)
      case "\\":
        if isLineBreak(after: position) { return Word(text: text, place: start) }
        advance()
        if let next = peek {
          text.unicodeScalars.append(next)
          advance()
        }
      default:
        text.unicodeScalars.append(scalar)
        advance()
      }
      guard text.utf8.count <= Self.longestWord, budget > 0 else {
        throw start.error("this word is too long to be a quantity")
      }
    }
    return Word(text: text, place: start)
  }

  private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar)
  }

  /// Reads `$NAME`, `${NAME}` or `${NAME:-default}`; returns the variable's value, or the text unchanged if it has
  /// none.
  private mutating func variable(_ start: Place) throws(ProfileError) -> String {
    advance()
    if peek == "{" {
      advance()
      let name = take { $0 != "}" && $0 != "\n" }
      guard peek == "}" else { throw start.error("the brace of ${\(name.prefix(40)) is not closed") }
      advance()
      guard let colon = name.firstIndex(of: ":") else { return value(of: name) ?? "${\(name)}" }
      let rest = name[colon...].dropFirst()
      return value(of: String(name[..<colon])) ?? (rest.first == "-" ? String(rest.dropFirst()) : "${\(name)}")
    }
    let name = take(while: Self.isInName)
    return value(of: name) ?? "$\(name)"
  }

  private mutating func value(of variable: String) -> String? {
    guard budget > 0, let value = variables[variable] else { return nil }
    budget -= value.utf8.count
    return value
  }

  /// Ends a command; assignments before it define variables.
  private mutating func endCommand() {
    var start = 0
    while start < words.count, let equals = words[start].text.firstIndex(of: "=") {
      let name = words[start].text[..<equals]
      guard !name.isEmpty, name.unicodeScalars.allSatisfy(Self.isInName) else { break }
      variables[String(name)] = String(words[start].text[equals...].dropFirst())
      start += 1
    }
    words.removeFirst(start)
    if !words.isEmpty { elements.append(.command(words)) }
    words = []
  }
}
