extension SecretScanner {
  mutating func equalsSign(at sign: Int) -> Int {
    var (nameEnd, next) = (sign, sign + 1)
    if syntax == .text || syntax == .markup {
      // Files of settings and code have spaces around the sign.
      while nameEnd > 0, sign - nameEnd < Self.longestName, bytes[nameEnd - 1] == 0x20 { nameEnd -= 1 }
      while next < bytes.count, bytes[next] == 0x20 { next += 1 }
    }
    var start = nameEnd
    while start > 0, nameEnd - start < Self.longestName, bytes[start - 1].isItemNamePart { start -= 1 }
    guard start < nameEnd, next < bytes.count, !"=>".utf8.contains(bytes[next]) else { return sign + 1 }
    let name = start..<nameEnd
    if syntax == .multipart, equals(name, "name") { return part(named: next) }
    if syntax == .xml || syntax == .markup, equals(name, "value") || equals(name, "content") {
      return attribute(from: next)
    }
    let opener = start > 0 ? bytes[start - 1] : UInt8(ascii: "&")
    guard syntax != .markup || sign < urlEnd && "?&#;".utf8.contains(opener) else {
      return assigned(from: next, to: name)
    }
    let weight = weight(of: name, as: .item, .percent)
    guard weight != .none || mayBeMask(next) else { return next }
    if bytes[next] == UInt8(ascii: "\"") || bytes[next] == UInt8(ascii: "'"), syntax != .form {
      let range = next + 1..<end(ofString: bytes[next], from: next + 1)
      return take(range, named: name, weight) ? range.upperBound : next
    }
    var end = next
    while end < bytes.count, !endsItem(at: end, opener: opener) { end += 1 }
    return take(next..<end, named: name, weight) ? end : next
  }

  func weight(of name: Range<Int>, as place: SecretNames.Place, _ escape: Escape) -> SecretNames.Weight {
    guard bytes[name].contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }) else {
      return names.weight(bytes[name], as: place)
    }
    var decoded: [UInt8] = []
    var index = name.lowerBound
    while index < name.upperBound {
      let (byte, length) = escape.decode(bytes, index) ?? (bytes[index], 1)
      decoded.append(byte)
      index += length
    }
    return names.weight(decoded, as: place)
  }

  private func endsItem(at index: Int, opener: UInt8) -> Bool {
    let byte = bytes[index]
    if byte == UInt8(ascii: "&") { return true }
    if syntax == .form { return false }
    if byte == UInt8(ascii: "#") || byte == UInt8(ascii: "?") && opener == UInt8(ascii: ";") { return true }
    if syntax == .url { return byte == UInt8(ascii: ";") && opener == UInt8(ascii: ";") }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "`"): return true
    case UInt8(ascii: "'"):
      // An apostrophe before a letter may be part of a URL; otherwise it is a closing quotation mark.
      return index + 1 == bytes.count || !bytes[index + 1].isAlphanumeric
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      return !"?&#".utf8.contains(opener)
    default: return byte.isSpace
    }
  }

  /// Adds a string in code that looks random and is assigned to a secret's name; most other strings in code are
  /// harmless.
  mutating func assigned(from start: Int, to name: Range<Int>) -> Int {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") else {
      return start
    }
    let weight = weight(of: name, as: .item, .json)
    guard weight != .none || mayBeMask(start + 1) else { return start }
    let range = start + 1..<end(ofString: bytes[start], from: start + 1)
    return take(range, named: name, weight == .certain ? .likely : weight) ? range.upperBound : start
  }

  /// Adds the body of a part of a multipart form if its name is a secret's.
  private mutating func part(named start: Int) -> Int {
    let name = attributeValue(from: start)
    let weight = names.weight(bytes[name], as: .item)
    guard weight != .none, name.count <= Self.longestName,
      let head = ["\r\n\r\n", "\n\n"].compactMap({ first($0, from: name.upperBound, within: 1_024) }).min()
    else { return max(name.upperBound, start) }
    let end = first("\n--", from: head, within: .max).map { $0 - 3 } ?? bytes.count
    let isCarriageReturn = end > head && bytes[end - 1] == UInt8(ascii: "\r")
    return take(head..<max(head, isCarriageReturn ? end - 1 : end), named: name, weight) ? end : head
  }

  /// Adds the `value` or `content` of a tag if the tag's own name, or its attribute `name` or `key`, is a secret's.
  private mutating func attribute(from start: Int) -> Int {
    var open = start
    while open > 0, start - open < 1_024, !"<>".utf8.contains(bytes[open - 1]) { open -= 1 }
    guard open > 0, bytes[open - 1] == UInt8(ascii: "<") else { return start }
    let value = attributeValue(from: start)
    let rest = bytes[value.upperBound...].prefix(1_024)
    let close = rest.firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
    var found = [open..<(bytes[open..<start].firstIndex(where: \.isSpace) ?? open)]
    for attribute in [" name=", " key="] as [StaticString] {
      if let name = first(attribute, from: open, within: close - open) { found.append(attributeValue(from: name)) }
    }
    for name in found where name.count <= Self.longestName {
      let weight = names.weight(bytes[name], as: .item)
      if weight != .none, take(value, named: name, weight) { return value.upperBound }
    }
    return start
  }

  /// The attribute value that begins at `start`, with or without quotation marks.
  private func attributeValue(from start: Int) -> Range<Int> {
    guard start < bytes.count else { return bytes.count..<bytes.count }
    let mark = bytes[start]
    guard mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else {
      let word = bytes[start...].prefix(4_096)
      return start..<(word.firstIndex { $0.isSpace || $0 == UInt8(ascii: ">") } ?? word.endIndex)
    }
    return start + 1..<end(ofString: mark, from: start + 1)
  }

  /// Adds the text of the element whose start tag ends at `close`, if it is a secret.
  mutating func element(at close: Int) -> Int {
    var start = close
    while start > 0, close - start < 256, !"<>".utf8.contains(bytes[start - 1]) { start -= 1 }
    let tag = bytes[start..<close].prefix { !$0.isSpace && $0 != UInt8(ascii: "/") }
    let local = tag.lastIndex(of: UInt8(ascii: ":")).map { tag[($0 + 1)...] } ?? tag
    guard start > 0, bytes[start - 1] == UInt8(ascii: "<"), !local.isEmpty else { return close + 1 }
    let name = local.startIndex..<local.endIndex
    let weight = names.weight(bytes[name], as: .member)
    var begin = close + 1
    if starts(with: "<![CDATA[", at: begin) { begin += 9 }
    guard weight != .none || mayBeMask(begin) else { return close + 1 }
    var end = begin
    while end < bytes.count, bytes[end] != (begin > close + 1 ? UInt8(ascii: "]") : UInt8(ascii: "<")) { end += 1 }
    while begin < end, bytes[begin].isSpace { begin += 1 }
    return take(begin..<max(begin, end), named: name, weight) ? end : close + 1
  }

  func end(ofString quote: UInt8, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != quote { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
    return min(index, bytes.count)
  }

  /// The index after the closing bracket of the list that begins at `start`.
  func end(ofList start: Int) -> Int {
    var (index, open) = (start, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): index = end(ofString: bytes[index], from: index + 1)
      case UInt8(ascii: "["): open += 1
      case UInt8(ascii: "]"): open -= 1
      default: break
      }
      index += 1
      if open == 0 { return index }
    }
    return bytes.count
  }

  func endOfToken(from start: Int) -> Int {
    bytes[start...].firstIndex { !$0.isBase64URL } ?? bytes.count
  }

  func endOfBareValue(from start: Int) -> Int {
    guard start < bytes.count else { return bytes.count }
    return bytes[start...].firstIndex { $0.isSpace || ",;}])\"'<".utf8.contains($0) } ?? bytes.count
  }

  func starts(with text: StaticString, at index: Int) -> Bool {
    guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
    for offset in 0..<text.utf8CodeUnitCount where bytes[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// Whether a range contains this text, in any case.
  func equals(_ range: Range<Int>, _ text: String) -> Bool {
    range.count == text.utf8.count && zip(bytes[range], text.utf8).allSatisfy(ASCII.equalIgnoringCase)
  }

  /// Returns the index after the next occurrence of a text.
  private func first(_ text: StaticString, from start: Int, within length: Int) -> Int? {
    let last = min(bytes.count, length == .max ? bytes.count : start + length)
    var index = start
    while index < last {
      if bytes[index] == text.utf8Start[0], starts(with: text, at: index) { return index + text.utf8CodeUnitCount }
      index += 1
    }
    return nil
  }

  func mayBeMask(_ start: Int) -> Bool {
    names.findsMasks && (starts(with: "redacted", at: start) || starts(with: "***", at: start))
  }
}

extension UInt8 {
  private static func isName(_ byte: UInt8) -> Bool {
    byte.isBase64URL || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "$") || byte >= 0x80
  }
  var isNamePart: Bool { Self.isName(self) }
  var isItemNamePart: Bool {
    Self.isName(self) || self == UInt8(ascii: "%") || self == UInt8(ascii: "[") || self == UInt8(ascii: "]")
  }
  var isNumberPart: Bool {
    isDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "-") || self == UInt8(ascii: "+")
      || self | 0x20 == UInt8(ascii: "e")
  }
  var endsURL: Bool { isSpace || "\"'<>\\`".utf8.contains(self) }
  var endsAuthority: Bool { endsURL || "/?#".utf8.contains(self) }
  var endsEncoded: Bool { isSpace || "&=?#\"<>\\`".utf8.contains(self) }
}

enum Escape {
  /// Percent-encoding (RFC 3986, section 2.1).
  case percent
  /// Escapes of JSON strings (RFC 8259, section 7).
  case json

  /// Decodes the escaped byte at an index, with the escape's length; `nil` if nothing is escaped there.
  func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> (byte: UInt8, length: Int)? {
    switch self {
    case .percent:
      guard bytes[index] == UInt8(ascii: "%"), let value = bytes.hexadecimal(at: index + 1, count: 2) else {
        return nil
      }
      return (UInt8(truncatingIfNeeded: value), 3)
    case .json: return Self.json(bytes, index)
    }
  }

  private static func json(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> (byte: UInt8, length: Int)? {
    guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else { return nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "n"), UInt8(ascii: "r"): return (0x0A, 2)
    case UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): return (0x09, 2)
    case UInt8(ascii: "u"):
      guard let value = bytes.hexadecimal(at: index + 2, count: 4) else { return nil }
      // A non-ASCII character is part of neither a name nor a sign, so any byte above 0x7F can replace it.
      return (value < 0x80 ? UInt8(value) : 0xFF, 6)
    case let byte: return (byte, 2)
    }
  }
}
