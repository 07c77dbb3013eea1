import Foundation

/// A line of a text, without the spaces around it, and where it stands.
struct TextLine {
  /// What stands between the spaces.
  let content: String
  /// Where the content begins.
  let place: Place

  /// The lines of a text, whatever ends them.
  static func lines(of text: String, file: String) -> [TextLine] {
    var lines: [TextLine] = []
    var number = 0
    for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      let spaces = line.prefix { $0 == " " || $0 == "\t" }.count
      let content = String(String.UnicodeScalarView(line)).trimmingCharacters(in: .whitespacesAndNewlines)
      lines.append(TextLine(content: content, place: Place(file: file, line: number, column: spaces + 1)))
    }
    return lines
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
