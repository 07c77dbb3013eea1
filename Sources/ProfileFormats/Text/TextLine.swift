import Foundation
import NetworkConditions

/// A line of a text, without the spaces around it, and where it stands.
struct TextLine {
  /// What stands between the spaces.
  let content: String
  /// Where the content begins.
  let place: Place

  /// Hands over the lines of a text one by one, without empty ones, so that a long log is not in memory twice.
  static func forEach(
    of text: String, file: String, _ body: (TextLine) throws(ProfileError) -> Void
  ) throws(ProfileError) {
    let bytes = Array(text.utf8)
    var number = 0
    var start = 0
    while start < bytes.count {
      number += 1
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      let line = bytes[start..<end]
      start = end + 1
      let spaces = line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
      guard spaces < line.count else { continue }
      let content = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      if content.isEmpty { continue }
      try body(TextLine(content: content, place: Place(file: file, line: number, column: spaces + 1)))
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
