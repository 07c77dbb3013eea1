import Foundation
import NetworkConditions

/// A line of a text, without the spaces around it, and where it stands.
struct TextLine {
  /// What stands between the spaces.
  let content: String
  /// Where the content begins.
  let place: Place

  /// Hands over the lines of a text one by one, so that a long log is not in memory twice.
  static func forEach(
    of text: String, file: String, _ body: (TextLine) throws(ProfileError) -> Void
  ) throws(ProfileError) {
    var number = 0
    var start = text.utf8.startIndex
    while true {
      number += 1
      let end = text.utf8[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.utf8.endIndex
      let line = text[start..<end]
      let spaces = line.utf8.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
      let content = line.utf8.isEmpty ? "" : line.trimmingCharacters(in: .whitespacesAndNewlines)
      try body(TextLine(content: content, place: Place(file: file, line: number, column: spaces + 1)))
      guard end < text.utf8.endIndex else { return }
      start = text.utf8.index(after: end)
    }
  }

  /// What follows a separator, without spaces and quotation marks around it.
  func word(after index: String.Index) -> Word {
    let rest = content[content.index(after: index)...]
    let spaces = rest.prefix { $0 == " " || $0 == "\t" }.count
    var text = rest.trimmingCharacters(in: .whitespaces)
    var start = place
    start.column += content[...index].unicodeScalars.count + spaces
    if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
    return Word(text: text, place: start)
  }
}
