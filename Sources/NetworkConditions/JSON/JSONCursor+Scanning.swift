extension JSONCursor {
  static func closing(_ bracket: UInt8) -> UInt8 {
    bracket == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }

  /// Moves to the next element, and returns `false` at the closing bracket.
  mutating func next(_ close: UInt8, isFirst: Bool) throws(ProfileError) -> Bool {
    skipSpace()
    let what = close == UInt8(ascii: "}") ? "object" : "list"
    guard let byte = peek else { throw syntax("the document ends inside this \(what)") }
    if byte == close {
      position += 1
      return false
    }
    if isFirst { return true }
    guard byte == UInt8(ascii: ",") else { throw syntax("\(here) where a comma or the end of the \(what) should be") }
    position += 1
    skipSpace()
    if peek == close { throw syntax("there is a comma before the end of the \(what)") }
    return true
  }

  mutating func key() throws(ProfileError) -> String {
    skipSpace()
    guard peek == UInt8(ascii: "\"") else { throw syntax("\(here) where a key should be, in quotation marks") }
    let key = try text()
    skipSpace()
    guard peek == UInt8(ascii: ":") else { throw syntax("\(here) where a colon should follow the key \(key.quoted)") }
    position += 1
    return key
  }

  /// Reads the string whose quotation mark is next; most strings have no escapes and are taken in one piece.
  mutating func text() throws(ProfileError) -> String {
    let start = position + 1
    guard let end = plainEnd(from: start) else { throw syntax("this string is not terminated") }
    if bytes[end] == UInt8(ascii: "\"") {
      position = end + 1
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
    var text = Array(bytes[start..<end])
    position = end
    while bytes[position] != UInt8(ascii: "\"") {
      text += try escape()
      guard let next = plainEnd(from: position) else { throw syntax("this string is not terminated", at: start - 1) }
      text += bytes[position..<next]
      position = next
    }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  mutating func skipText() throws(ProfileError) {
    let start = position
    guard var end = plainEnd(from: start + 1) else { throw syntax("this string is not terminated") }
    while bytes[end] != UInt8(ascii: "\"") {
      position = end
      _ = try escape()
      guard let next = plainEnd(from: position) else { throw syntax("this string is not terminated", at: start) }
      end = next
    }
    position = end + 1
  }

  /// The position of the next quotation mark, backslash or control character; the caller reports the last as an error.
  func plainEnd(from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return index }
      index += 1
    }
    return nil
  }

  mutating func escape() throws(ProfileError) -> [UInt8] {
    guard bytes[position] == UInt8(ascii: "\\") else {
      throw syntax("a string contains a line break or a control character; write it as an escape")
    }
    guard position + 1 < bytes.count else { throw syntax("the document ends inside an escape") }
    let escaped: UInt8
    switch bytes[position + 1] {
    case UInt8(ascii: "u"): return try unicodeEscape()
    case let byte where "\"\\/".utf8.contains(byte): escaped = byte
    case UInt8(ascii: "b"): escaped = 0x08
    case UInt8(ascii: "f"): escaped = 0x0C
    case UInt8(ascii: "n"): escaped = 0x0A
    case UInt8(ascii: "r"): escaped = 0x0D
    case UInt8(ascii: "t"): escaped = 0x09
    default: throw syntax("an unknown escape")
    }
    position += 2
    return [escaped]
  }

  mutating func unicodeEscape() throws(ProfileError) -> [UInt8] {
    let start = position
    guard var code = bytes.hexadecimal(at: start + 2, count: 4) else {
      throw syntax("four hexadecimal digits should follow \\u")
    }
    position += 6
    if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
      let low = bytes.hexadecimal(at: position + 2, count: 4), (0xDC00..<0xE000).contains(low)
    {
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      position += 6
    }
    guard let scalar = Unicode.Scalar(code) ?? (isLenient ? "\u{FFFD}" : nil) else {
      throw syntax("half of a surrogate pair is missing", at: start)
    }
    return Array(String(Character(scalar)).utf8)
  }

  mutating func skipNumber() throws(ProfileError) {
    let start = position
    if peek == UInt8(ascii: "-") { position += 1 }
    let leading = peek
    let whole = skipDigits()
    var isRight = whole == 1 || (whole > 1 && leading != UInt8(ascii: "0"))
    if peek == UInt8(ascii: ".") {
      position += 1
      isRight = skipDigits() > 0 && isRight
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      isRight = skipDigits() > 0 && isRight
    }
    guard isRight else {
      throw syntax("\(String(decoding: bytes[start..<position], as: UTF8.self).quoted) is not a JSON number", at: start)
    }
  }

  mutating func skipDigits() -> Int {
    let start = position
    while let byte = peek, byte.isDigit { position += 1 }
    return position - start
  }

  mutating func takeWord(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard position + length <= bytes.count else { return false }
    for offset in 0..<length where bytes[position + offset] != word.utf8Start[offset] { return false }
    position += length
    return true
  }

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipSpace() {
    while let byte = peek, byte.isSpace { position += 1 }
  }
}
