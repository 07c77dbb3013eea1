import Foundation
import NetworkConditions

/// Walks through a JSON document (RFC 8259) and hands out its values where they stand, with the way to each.
///
/// Profiles are small and are read into a tree first; an archive may have hundreds of megabytes, most of which nobody
/// asks for. Here nothing is built but what is wanted, and what is not wanted is passed over without recursion. More is
/// taken than a strict parser would: equal keys (the last counts) and half surrogates (as U+FFFD), which browsers write.
struct JSONCursor {
  /// Nested deeper than this, a document is refused: it is an attack on somebody's stack.
  static let deepest = 512

  private enum Step {
    case key(String)
    case index(Int)
  }

  private let bytes: [UInt8]
  private let file: String
  private(set) var position = 0
  private var steps: [Step] = []

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  // MARK: Values

  /// Hands out the members of an object; those that are `null` count as left out.
  ///
  /// The closure must consume the value, with ``skip()`` if it does not want it.
  mutating func object(
    _ what: String, _ member: (inout JSONCursor, String) throws(HTTPArchiveError) -> Void
  ) throws(HTTPArchiveError) {
    skipSpace()
    guard peek == UInt8(ascii: "{") else { throw wrong(what, "an object in braces") }
    position += 1
    try checkDepth(steps.count + 1)
    var isFirst = true
    while try next(UInt8(ascii: "}"), isFirst: isFirst) {
      isFirst = false
      let key = try self.key()
      steps.append(.key(key))
      skipSpace()
      if !takeWord("null") { try member(&self, key) }
      steps.removeLast()
    }
  }

  /// Hands out the elements of a list, each of which the closure must consume.
  mutating func array(
    _ what: String, _ element: (inout JSONCursor) throws(HTTPArchiveError) -> Void
  ) throws(HTTPArchiveError) {
    skipSpace()
    guard peek == UInt8(ascii: "[") else { throw wrong(what, "a list in square brackets") }
    position += 1
    try checkDepth(steps.count + 1)
    var index = 0
    while try next(UInt8(ascii: "]"), isFirst: index == 0) {
      steps.append(.index(index))
      try element(&self)
      steps.removeLast()
      index += 1
    }
  }

  /// A text.
  mutating func string(_ what: String) throws(HTTPArchiveError) -> String {
    skipSpace()
    guard peek == UInt8(ascii: "\"") else { throw wrong(what, "a text in quotation marks") }
    return try text()
  }

  /// A truth value.
  mutating func bool(_ what: String) throws(HTTPArchiveError) -> Bool {
    skipSpace()
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    throw wrong(what, "true or false")
  }

  /// A number within a range, whose bounds are whole.
  mutating func number(_ what: String, _ range: ClosedRange<Double>) throws(HTTPArchiveError) -> Double {
    skipSpace()
    let start = position
    let right = "a number from \(Int64(range.lowerBound)) to \(Int64(range.upperBound))"
    guard let first = peek, first == UInt8(ascii: "-") || Self.isDigit(first) else { throw wrong(what, right) }
    try skipNumber()
    guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), range.contains(value) else {
      position = start
      throw wrong(what, right)
    }
    return value
  }

  /// A whole number within a range, however it is written: `200` or `200.0`.
  mutating func whole(_ what: String, _ range: ClosedRange<Int64>) throws(HTTPArchiveError) -> Int64 {
    skipSpace()
    let start = position
    let value = try number(what, Double(range.lowerBound)...Double(range.upperBound))
    guard value == value.rounded(), let whole = Int64(exactly: value), range.contains(whole) else {
      position = start
      throw wrong(what, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  /// Makes sure that nothing follows.
  mutating func end() throws(HTTPArchiveError) {
    skipSpace()
    guard position == bytes.count else { throw syntax("nothing may follow the end of the document") }
  }

  /// Passes over a value of any kind, checking its form.
  mutating func skip() throws(HTTPArchiveError) {
    // The brackets that are open: recursion would let a document decide how much stack is used.
    var open: [UInt8] = []
    while true {
      skipSpace()
      switch peek {
      case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
        let bracket = bytes[position]
        open.append(bracket)
        try checkDepth(steps.count + open.count)
        position += 1
        skipSpace()
        if peek != Self.closing(bracket) {
          if bracket == UInt8(ascii: "{") { _ = try key() }
          continue
        }
      case UInt8(ascii: "\"")?: try skipText()
      case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): try skipNumber()
      default:
        guard takeWord("true") || takeWord("false") || takeWord("null") else {
          throw syntax("\(here) where a value should be")
        }
      }
      // A value is over: so may be what it stands in.
      while let bracket = open.last {
        skipSpace()
        guard peek == Self.closing(bracket) else {
          guard peek == UInt8(ascii: ",") else { throw syntax("\(here) where a comma or a closing bracket should be") }
          position += 1
          if bracket == UInt8(ascii: "{") { _ = try key() }
          break
        }
        position += 1
        open.removeLast()
      }
      if open.isEmpty { return }
    }
  }

  // MARK: Parts

  private static func closing(_ bracket: UInt8) -> UInt8 {
    bracket == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Takes the closing bracket and says no, or the comma that stands before all but the first.
  private mutating func next(_ close: UInt8, isFirst: Bool) throws(HTTPArchiveError) -> Bool {
    skipSpace()
    guard let byte = peek else { throw syntax("the document ends within an object or a list") }
    if byte == close {
      position += 1
      return false
    }
    if isFirst { return true }
    guard byte == UInt8(ascii: ",") else { throw syntax("\(here) where a comma or a closing bracket should be") }
    position += 1
    return true
  }

  private mutating func key() throws(HTTPArchiveError) -> String {
    skipSpace()
    guard peek == UInt8(ascii: "\"") else { throw syntax("\(here) where a key should be, in quotation marks") }
    let key = try text()
    skipSpace()
    guard peek == UInt8(ascii: ":") else { throw syntax("\(here) where a colon should follow the key \(key.quoted)") }
    position += 1
    return key
  }

  /// Reads a text whose quotation mark is next; most have no escape and are taken in one piece.
  private mutating func text() throws(HTTPArchiveError) -> String {
    let start = position + 1
    guard let end = plainEnd(from: start) else { throw syntax("this text has no end") }
    if bytes[end] == UInt8(ascii: "\"") {
      position = end + 1
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
    var text = Array(bytes[start..<end])
    position = end
    while bytes[position] != UInt8(ascii: "\"") {
      text += try escape()
      guard let next = plainEnd(from: position) else { throw syntax("this text has no end") }
      text += bytes[position..<next]
      position = next
    }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func skipText() throws(HTTPArchiveError) {
    guard var end = plainEnd(from: position + 1) else { throw syntax("this text has no end") }
    while bytes[end] != UInt8(ascii: "\"") {
      position = end
      _ = try escape()
      guard let next = plainEnd(from: position) else { throw syntax("this text has no end") }
      end = next
    }
    position = end + 1
  }

  /// Where the next quotation mark, backslash or control character stands, the last of which is an error there.
  private func plainEnd(from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return index }
      index += 1
    }
    return nil
  }

  private mutating func escape() throws(HTTPArchiveError) -> [UInt8] {
    guard bytes[position] == UInt8(ascii: "\\") else {
      throw syntax("a text holds a line break or a control character; write it as an escape")
    }
    guard position + 1 < bytes.count else { throw syntax("the document ends within an escape") }
    let byte = bytes[position + 1]
    switch byte {
    case UInt8(ascii: "u"): return try unicodeEscape()
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): break
    case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): break
    default: throw syntax("an unknown escape")
    }
    position += 2
    switch byte {
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    default: return [byte]
    }
  }

  private mutating func unicodeEscape() throws(HTTPArchiveError) -> [UInt8] {
    guard var code = hexadecimal(at: position + 2) else { throw syntax("four hexadecimal digits should follow \\u") }
    position += 6
    if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
      let low = hexadecimal(at: position + 2), (0xDC00..<0xE000).contains(low)
    {
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      position += 6
    }
    return Array(String(Character(Unicode.Scalar(code) ?? "\u{FFFD}")).utf8)
  }

  private func hexadecimal(at start: Int) -> UInt32? {
    guard start + 4 <= bytes.count else { return nil }
    var code: UInt32 = 0
    for byte in bytes[start..<start + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      code = code << 4 + UInt32(digit)
    }
    return code
  }

  private mutating func skipNumber() throws(HTTPArchiveError) {
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
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      position = start
      throw syntax("\(text.quoted) is no JSON number")
    }
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = peek, Self.isDigit(byte) { position += 1 }
    return position - start
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard position + length <= bytes.count else { return false }
    for offset in 0..<length where bytes[position + offset] != word.utf8Start[offset] { return false }
    position += length
    return true
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  // MARK: Errors

  /// An error about the value that is next.
  func error(_ reason: String) -> HTTPArchiveError {
    var path = ""
    for step in steps {
      switch step {
      case .index(let index): path += "[\(index)]"
      case .key(let key):
        let isPlain = !key.isEmpty && key.utf8.count <= 60 && key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        path += (path.isEmpty ? "" : ".") + (isPlain ? key : key.quoted)
      }
    }
    return .value(file: file, path: path, reason: reason)
  }

  private func wrong(_ what: String, _ right: String) -> HTTPArchiveError {
    guard let byte = peek else { return syntax("the document ends where \(what) should be") }
    let isValue = "{[\"-tfn0123456789".utf8.contains(byte)
    guard isValue else { return syntax("\(here) where \(what) should be, \(right)") }
    return error("\(shown) is not \(what), \(right)")
  }

  /// The value that is next, as errors show it.
  private var shown: String {
    switch peek {
    case UInt8(ascii: "{")?: return "an object"
    case UInt8(ascii: "[")?: return "a list"
    case UInt8(ascii: "\"")?:
      var copy = self
      return (try? copy.text())?.quoted ?? "a text without an end"
    default:
      let rest = bytes[position...].prefix(40).prefix { $0 > 0x20 && $0 < 0x7F && !",]}".utf8.contains($0) }
      return String(decoding: rest, as: UTF8.self)
    }
  }

  private var here: String {
    guard position < bytes.count else { return "the document ends" }
    let rest = String(decoding: bytes[position...].prefix(16), as: UTF8.self)
    return rest.unicodeScalars.first.map { "\(String($0).quoted) stands" } ?? "the document ends"
  }

  private func checkDepth(_ depth: Int) throws(HTTPArchiveError) {
    guard depth <= Self.deepest else { throw syntax("nested deeper than \(Self.deepest) levels") }
  }

  private func syntax(_ reason: String) -> HTTPArchiveError {
    var (line, lineStart) = (1, 0)
    let place = min(position, bytes.count)
    for index in 0..<place where bytes[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    var column = 1
    for byte in bytes[lineStart..<place] where byte & 0xC0 != 0x80 { column += 1 }
    return .syntax(file: file, line: line, column: column, reason: reason)
  }
}
