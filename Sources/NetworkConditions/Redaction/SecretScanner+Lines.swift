/// Finds secrets in texts that resemble header fields: whole lines, and credentials after a scheme's name.
extension SecretScanner {
  private static let schemes = ["bearer", "basic", "token", "dpop"]
  /// Ordinary words that follow a secret's or a scheme's name in sentences.
  private static let words: Set<String> = [
    "token", "tokens", "auth", "authentication", "authorization", "none", "null", "nil", "true", "false", "missing",
    "required", "invalid", "expired", "empty", "wrong", "unknown", "undefined", "optional", "string", "yes", "no",
  ]

  /// The value of a line such as `token: abc` or `Cookie: a=b; c=d`; `nil` unless it is a single word or cookies.
  func lineValue(_ name: Range<Int>, _ start: Int, _ weight: SecretNames.Weight) -> Range<Int>? {
    let isCookie = names.redaction.isStandard && (equals(name, "cookie") || equals(name, "set-cookie"))
    guard syntax == .text, weight == .certain || isCookie, !bytes[name.upperBound..<start].contains(0x0A) else {
      return nil
    }
    var before = name.lowerBound
    while before > 0, " \t-><*#".utf8.contains(bytes[before - 1]) { before -= 1 }
    guard before == 0 || bytes[before - 1] == 0x0A || bytes[before - 1] == 0x0D else { return nil }
    var end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    while end > start, bytes[end - 1].isSpace || ",;".utf8.contains(bytes[end - 1]) { end -= 1 }
    if isCookie { return bytes[start..<end].contains(UInt8(ascii: "=")) ? start..<end : nil }
    var value = start..<end
    if let space = bytes[value].firstIndex(of: 0x20), Self.schemes.contains(where: { equals(start..<space, $0) }) {
      value = space + 1..<end
    }
    guard !value.isEmpty, !bytes[value].contains(where: \.isSpace), !isWord(value) else { return nil }
    return value
  }

  /// Adds credentials after a scheme's name (RFC 9110, 11.4), such as `Bearer abc`, in a field of any name.
  mutating func credentials(at space: Int) -> Int {
    let next = space + 1
    guard space >= 4, "rcnp".utf8.contains(bytes[space - 1] | 0x20),
      let scheme = Self.schemes.first(where: { space >= $0.utf8.count && equals(space - $0.utf8.count..<space, $0) })
    else { return next }
    let start = space - scheme.utf8.count
    guard start == 0 || !bytes[start - 1].isNamePart else { return next }
    var end = next
    while end < bytes.count, bytes[end].isAlphanumeric || "-._~+/=".utf8.contains(bytes[end]) { end += 1 }
    let value = next..<end
    guard !value.isEmpty, !isWord(value) else { return next }
    var before = start
    while before > 0, bytes[before - 1] == 0x20 { before -= 1 }
    let isAlone =
      (before == 0 || ":=\"',\n\r".utf8.contains(bytes[before - 1]))
      && (end == bytes.count || "\"',;\n\r\\".utf8.contains(bytes[end]))
    let isSecret =
      switch scheme {
      case "bearer", "dpop": isAlone
      default: isAlone && bytes[value].contains(where: \.isDigit) && value.count >= 6
      }
    return take(value, named: next..<next, isSecret ? .certain : .likely) ? end : next
  }

  private func isWord(_ range: Range<Int>) -> Bool {
    range.count <= 14 && Self.words.contains(String(decoding: bytes[range], as: UTF8.self).lowercased())
  }
}
