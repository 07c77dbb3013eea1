enum FieldSecrets {
  /// Returns the field without its secrets, and their number; `nil` if the field is of another kind or malformed.
  static func shown(_ value: String, of name: String, _ redaction: Redaction) -> (text: String, count: Int)? {
    switch name {
    case "setcookie": cookies(value)
    case "wwwauthenticate", "proxyauthenticate": challenges(value, redaction)
    case "secwebsocketprotocol": subprotocols(value)
    default: nil
    }
  }

  // MARK: Set-Cookie (RFC 6265, 4.1)

  private static let attributes: Set<String> = [
    "path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "partitioned", "priority",
  ]

  /// Redacts cookies, and keeps their names, attributes, and values too short and plain to be secrets.
  private static func cookies(_ value: String) -> (text: String, count: Int)? {
    var count = 0
    var isFirst = true
    let names = SecretNames(.standard)
    let parts = pieces(of: value, at: ";,\n").map { piece -> String? in
      let (lead, name, value) = pair(piece.text)
      let isCookie = isFirst || piece.separator != ";" && value != nil && !name.contains(" ")
      if !isCookie {
        // Dates contain commas, too.
        if piece.separator != ";" || value == nil || attributes.contains(name.lowercased()) { return piece.whole }
      } else if value == nil {
        return isFirst ? nil : piece.whole
      }
      isFirst = false
      guard let value, !value.isEmpty, value != Redaction.placeholder else { return piece.whole }
      let isTelling = [SecretNames.Place.item, .header].contains { names.weight(Array(name.utf8), as: $0) > .none }
      if isCookie, !isTelling, !name.isEmpty, isSetting(value) { return piece.whole }
      count += 1
      return "\(piece.separator)\(lead)\(name)=\(Redaction.placeholder)"
    }
    guard !parts.contains(nil) else { return nil }
    return (parts.compactMap(\.self).joined(), count)
  }

  private static func isSetting(_ value: Substring) -> Bool {
    value.utf8.count <= 3 && value.utf8.allSatisfy(\.isDigit)
      || value.utf8.count <= 5 && value.utf8.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "-") }
  }

  // MARK: Sec-WebSocket-Protocol

  /// Redacts the token in a subprotocol name with `.bearer.`; Kubernetes reads tokens there, since browsers can set no
  /// other field.
  private static func subprotocols(_ value: String) -> (text: String, count: Int)? {
    guard value.contains(".bearer.") else { return nil }
    var count = 0
    let parts = pieces(of: value, at: ",").map { piece -> String in
      guard piece.text.contains(".bearer."), let dot = piece.text.lastIndex(of: "."),
        piece.text[dot...].dropFirst() != Redaction.placeholder
      else { return piece.whole }
      count += 1
      return "\(piece.separator)\(piece.text[...dot])\(Redaction.placeholder)"
    }
    return (parts.joined(), count)
  }

  // MARK: Challenges (RFC 9110, 11.6.1)

  private static let schemes: Set<String> = [
    "basic", "bearer", "digest", "dpop", "hawk", "hoba", "kerberos", "mutual", "negotiate", "ntlm", "oauth",
    "scram-sha-1", "scram-sha-256", "vapid",
  ]
  private static let harmless: Set<String> = [
    "realm", "charset", "algorithm", "qop", "stale", "scope", "error", "error_description", "error_uri", "domain",
    "userhash", "title", "version",
  ]

  /// Redacts challenges, and keeps their schemes and public parameters.
  private static func challenges(_ value: String, _ redaction: Redaction) -> (text: String, count: Int)? {
    var count = 0
    var hasScheme = false
    let parts = pieces(of: value, at: ",").map { piece -> String? in
      var text = piece.text.drop { $0 == " " }
      var head = "\(piece.separator)\(piece.text.prefix { $0 == " " })"
      let word = text.prefix { $0 != " " && $0 != "=" }
      if schemes.contains(word.lowercased()), word.endIndex == text.endIndex || text[word.endIndex] == " " {
        hasScheme = true
        let rest = text[word.endIndex...]
        head += "\(word)\(rest.prefix { $0 == " " })"
        text = rest.drop { $0 == " " }
      }
      guard hasScheme else { return nil }
      let (_, name, value) = pair(text)
      if text.isEmpty { return head }
      // Equals signs at a token's end are padding.
      guard let value, value.contains(where: { $0 != "=" }) else {
        if text != Redaction.placeholder { count += 1 }
        return head + Redaction.placeholder
      }
      if harmless.contains(name.lowercased()) {
        let (shown, more) = redaction.redacted(String(text), as: .text)
        count += more
        return head + shown
      }
      let isQuoted = value.first == "\""
      let shown = isQuoted ? "\"\(Redaction.placeholder)\"" : Redaction.placeholder
      if value != shown { count += 1 }
      return "\(head)\(name)=\(shown)"
    }
    guard !parts.contains(nil) else { return nil }
    return (parts.compactMap(\.self).joined(), count)
  }

  private struct Piece {
    /// The separator before the piece; empty for the first.
    var separator: String
    var text: Substring

    var whole: String { separator + text }
  }

  /// Splits a value at separators, but not inside quotation marks.
  private static func pieces(of value: String, at separators: String) -> [Piece] {
    var pieces = [Piece(separator: "", text: "")]
    var (start, isQuoted, isEscaped) = (value.startIndex, false, false)
    for index in value.indices {
      let character = value[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, separators.contains(character) {
        pieces[pieces.count - 1].text = value[start..<index]
        start = value.index(after: index)
        pieces.append(Piece(separator: String(character), text: ""))
      }
    }
    pieces[pieces.count - 1].text = value[start...]
    return pieces
  }

  private static func pair(_ text: Substring) -> (lead: Substring, name: Substring, value: Substring?) {
    let lead = text.prefix { $0 == " " }
    let rest = text[lead.endIndex...]
    guard let sign = rest.firstIndex(of: "=") else { return (lead, rest, nil) }
    return (lead, rest[..<sign], rest[rest.index(after: sign)...])
  }
}
