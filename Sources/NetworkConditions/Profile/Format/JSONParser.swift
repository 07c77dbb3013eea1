import Foundation

/// Reads JSON (RFC 8259) strictly, and says in which line and column it is broken.
///
/// Foundation's decoders would not do: they take the last of two equal keys in silence, keep no order of keys, name no
/// place for most faults in the text, and differ between platforms in how deep a document may be.
struct JSONParser {
  /// Objects and lists may not be nested deeper than this, so that no document exhausts the stack.
  static let deepest = 64

  private let bytes: [UInt8]
  private let file: String
  private let words: [(String, JSONValue)]
  private var position = 0

  private static let words: [(String, JSONValue)] = [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
  /// What other tools write for numbers that are none.
  private static let nonNumbers: [(String, JSONValue)] = [
    ("NaN", .number("NaN")), ("Infinity", .number("Infinity")), ("-Infinity", .number("-Infinity")),
  ]

  /// Reads a document.
  static func parse(_ data: Data, file: String, as kind: DocumentKind = .profile) throws(ProfileError) -> JSONValue {
    guard data.count <= kind.largestSize else { throw kind.tooLarge(file: file, size: data.count) }
    var bytes = [UInt8](data)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .unreadable(file: file, reason: "is not UTF-8 text; \(kind.name) is JSON in UTF-8")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    var parser = JSONParser(bytes: bytes, file: file, words: words + (kind.takesNonNumbers ? nonNumbers : []))
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    if parser.position < bytes.count { throw parser.error("nothing may follow the end of the document") }
    return value
  }

  private init(bytes: [UInt8], file: String, words: [(String, JSONValue)]) {
    self.bytes = bytes
    self.file = file
    self.words = words
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(ProfileError) -> JSONValue {
    skipSpace()
    guard let byte = peek else { throw error("the document ends where a value should be") }
    for (word, value) in words where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw error("\(here) where a value should be; a text stands in quotation marks")
    }
  }

  private mutating func object(depth: Int) throws(ProfileError) -> JSONValue {
    try enter(depth)
    var members: [JSONValue.Member] = []
    var keys = Set<String>()
    while try !isAtEnd(UInt8(ascii: "}"), isFirst: members.isEmpty, of: "object") {
      guard peek == UInt8(ascii: "\"") else { throw error("\(here) where a key should be, in quotation marks") }
      let start = position
      let key = try string()
      guard keys.insert(key).inserted else {
        throw error("the key \(key.quoted) is given twice in one object", at: start)
      }
      skipSpace()
      guard peek == UInt8(ascii: ":") else { throw error("\(here) where a colon should follow the key \(key.quoted)") }
      position += 1
      members.append(JSONValue.Member(key, try value(depth: depth)))
    }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(ProfileError) -> JSONValue {
    try enter(depth)
    var elements: [JSONValue] = []
    while try !isAtEnd(UInt8(ascii: "]"), isFirst: elements.isEmpty, of: "list") {
      elements.append(try value(depth: depth))
    }
    return .array(elements)
  }

  private mutating func enter(_ depth: Int) throws(ProfileError) {
    guard depth <= Self.deepest else { throw error("nested deeper than \(Self.deepest) levels") }
    position += 1
  }

  /// Takes the closing bracket, or the comma that must precede all but the first element.
  private mutating func isAtEnd(_ close: UInt8, isFirst: Bool, of what: String) throws(ProfileError) -> Bool {
    skipSpace()
    guard let byte = peek else { throw error("the document ends within this \(what)") }
    if byte == close {
      position += 1
      return true
    }
    if isFirst { return false }
    guard byte == UInt8(ascii: ",") else {
      throw error("\(here) where a comma or the end of the \(what) should be")
    }
    position += 1
    skipSpace()
    if peek == close { throw error("a comma stands before the end of the \(what)") }
    return false
  }

  // MARK: Texts and numbers

  private mutating func string() throws(ProfileError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      case ..<0x20: throw error("a text holds a line break or a control character; write it as an escape")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw error("this text has no end", at: start)
  }

  private mutating func escape() throws(ProfileError) -> [UInt8] {
    let start = position
    position += 1
    guard let byte = peek else { throw error("the document ends within an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var code = try hexadecimal(start)
      if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        position += 2
        let low = try hexadecimal(start)
        guard (0xDC00..<0xE000).contains(low) else { throw error("half of a surrogate pair is missing", at: start) }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair is missing", at: start) }
      return Array(String(Character(scalar)).utf8)
    default: throw error("an unknown escape", at: start)
    }
  }

  private mutating func hexadecimal(_ start: Int) throws(ProfileError) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("four hexadecimal digits should follow \\u", at: start) }
    position += 4
    return code
  }

  private mutating func number() throws(ProfileError) -> String {
    let start = position
    if peek == UInt8(ascii: "-") { position += 1 }
    let leading = peek
    let whole = digits()
    var isRight = whole == 1 || (whole > 1 && leading != UInt8(ascii: "0"))
    if peek == UInt8(ascii: ".") {
      position += 1
      isRight = digits() > 0 && isRight
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      isRight = digits() > 0 && isRight
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard isRight else { throw error("\(text.quoted) is no JSON number", at: start) }
    return text
  }

  private mutating func digits() -> Int {
    let count = bytes[position...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    position += count
    return count
  }

  // MARK: Places

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// The character at this place, as errors show it.
  private var here: String {
    guard position < bytes.count else { return "the document ends" }
    let rest = String(decoding: bytes[position...].prefix(16), as: UTF8.self)
    return rest.unicodeScalars.first.map { "\(String($0).quoted) stands" } ?? "the document ends"
  }

  private func error(_ reason: String, at place: Int? = nil) -> ProfileError {
    let before = bytes[..<min(place ?? position, bytes.count)]
    let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let column = before.reversed().prefix { $0 != 0x0A }.reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    return .syntax(file: file, line: line, column: column, reason: reason)
  }
}
