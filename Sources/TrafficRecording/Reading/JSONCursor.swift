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

  /// A step of the way to a value.
  enum Step {
    case key(String)
    case index(Int)
  }

  let bytes: [UInt8]
  let file: String
  var position = 0
  var steps: [Step] = []

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

  /// A text, or a number or truth value as it is written, where nothing depends on the difference.
  mutating func label(_ what: String) throws(HTTPArchiveError) -> String {
    skipSpace()
    let start = position
    guard let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "{"), byte != UInt8(ascii: "[") else {
      return try string(what)
    }
    try skip()
    return String(decoding: bytes[start..<position], as: UTF8.self)
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
}
