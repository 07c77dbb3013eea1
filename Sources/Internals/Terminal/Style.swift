/// Colours, or none.
package struct Style: Equatable, Sendable {
  /// The meaning of a text, rather than its looks.
  package enum Role: String, Sendable {
    /// As it is.
    case plain = ""
    /// A name or a heading.
    case strong = "1"
    /// It may be overlooked.
    case faint = "2"
    /// Data towards the client.
    case down = "36"
    /// Data towards the server.
    case up = "35"
    /// Something went well.
    case good = "32"
    /// Something deserves a look.
    case warning = "33"
    /// Something failed, or is out.
    case bad = "31"
  }

  /// Whether there are colours.
  package let isOn: Bool

  package static let none = Style(isOn: false)

  package init(isOn: Bool) {
    self.isOn = isOn
  }

  /// The text in its role's colour.
  package func callAsFunction(_ role: Role, _ text: String) -> String {
    guard isOn, role != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m"
  }
}

extension String {
  /// The text with control characters escaped, so that files and servers cannot steer the terminal.
  package var printable: String {
    guard unicodeScalars.contains(where: Self.isControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { Self.isControl($0) ? "\u{FFFD}" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }

  /// The text with spaces up to `width` characters.
  package func padded(to width: Int, right: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return right ? spaces + self : self + spaces
  }

  /// The text without spaces at its end.
  package var withoutTrailingSpaces: String {
    String(prefix((lastIndex { $0 != " " }.map { distance(from: startIndex, to: $0) + 1 }) ?? 0))
  }

  /// The text cut to `width` characters, with an ellipsis where something is missing.
  package func shortened(to width: Int) -> String {
    guard count > width else { return self }
    return width > 0 ? prefix(width - 1) + "…" : ""
  }

  /// The lines of the text, broken between words; a unit such as `%` or `ms` stays with its number.
  package func wrapped(to width: Int) -> [String] {
    var words: [String] = []
    for word in split(separator: " ") {
      let letters = word.prefix { $0.isLetter || $0 == "%" }.count
      if (1...2).contains(letters), words.last?.last?.isNumber == true {
        words[words.count - 1] += " \(word)"
      } else {
        words.append(String(word))
      }
    }
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines.isEmpty ? [""] : lines
  }
}
