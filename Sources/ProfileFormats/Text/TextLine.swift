import Foundation
import NetworkConditions

struct TextLine {
  let content: String
  let place: Place

  /// Calls `body` with each line that is not empty.
  static func forEach(
    of text: String, file: String, _ body: (TextLine) throws(ProfileError) -> Void
  ) throws(ProfileError) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let spaces = line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
      let content = String(Substring(line)).trimmingCharacters(in: .whitespacesAndNewlines)
      if content.isEmpty { continue }
      try body(TextLine(content: content, place: Place(file: file, line: index + 1, column: spaces + 1)))
    }
  }

  func word(after index: String.Index) -> Word {
    let rest = content[content.index(after: index)...]
    var start = place
    start.column += content[...index].unicodeScalars.count + rest.prefix { $0 == " " || $0 == "\t" }.count
    return Word(unquoting: rest, at: start)
  }
}

/// A position in a text, counted from 1; columns count Unicode scalars.
struct Place: Hashable, Sendable {
  var file: String
  var line = 1
  var column = 1

  func error(_ reason: String) -> ProfileError {
    .syntax(file: file, line: line, column: column, reason: reason)
  }
}

/// A word of a text without its quotation marks, with its place.
struct Word: Hashable, Sendable {
  var text: String
  var place: Place

  func error(_ reason: String) -> ProfileError { place.error(reason) }

  var shown: String { text.quoted }
}

extension Word {
  init(unquoting written: Substring, at place: Place) {
    self.init(text: written.trimmingCharacters(in: .whitespaces), place: place)
    if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
  }
}

extension ArraySlice<Word> {
  mutating func take(_ what: String, after word: Word) throws(ProfileError) -> Word {
    guard let next = popFirst() else { throw word.error("\(what) should follow \(word.text)") }
    return next
  }
}
