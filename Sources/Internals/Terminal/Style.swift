package struct Style: Equatable, Sendable {
  /// The meaning of a text, which determines its colour.
  package enum Role: String, Sendable {
    case plain = ""
    /// A name or a heading, in bold.
    case strong = "1"
    /// Less important text.
    case faint = "2"
    /// Data that flows towards the client.
    case down = "36"
    /// Data that flows towards the server.
    case up = "35"
    case good = "32"
    case warning = "33"
    /// A failure or an outage.
    case bad = "31"
  }

  package let isOn: Bool

  package static let none = Style(isOn: false)

  package init(isOn: Bool) {
    self.isOn = isOn
  }

  /// Returns the text in its role's colour.
  package func callAsFunction(_ role: Role, _ text: String) -> String {
    guard isOn, role != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m"
  }
}

extension String {
  /// The text with control characters replaced, so that untrusted text cannot control the terminal.
  package var printable: String {
    guard unicodeScalars.contains(where: Self.isControl) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { Self.isControl($0) ? "\u{FFFD}" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }

  /// Returns the text padded with spaces to `width` characters.
  package func padded(to width: Int, right: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return right ? spaces + self : self + spaces
  }

  package var withoutTrailingSpaces: String {
    String(prefix((lastIndex { $0 != " " }.map { distance(from: startIndex, to: $0) + 1 }) ?? 0))
  }

  /// Returns the text cut to `width` characters, with an ellipsis if it was longer.
  package func shortened(to width: Int) -> String {
    guard count > width else { return self }
    return width > 0 ? prefix(width - 1) + "…" : ""
  }

  /// Returns the text wrapped into lines; a unit such as `%` or `ms` stays with its number.
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
