/// Walks through a JSON document (RFC 8259) and passes each value, with its path, to closures.
///
/// An archive may have hundreds of megabytes, so unread values are skipped, without recursion. Foundation's decoders
/// are no faster, and worse: they accept duplicate keys, lose the order of keys, reject the half surrogates that
/// browsers write, and name no place.
package struct JSONCursor {
  enum Step {
    case key(String)
    case index(Int)
  }

  let bytes: [UInt8]
  let file: String
  /// Whether to read half of a surrogate pair as U+FFFD, instead of an error.
  let isLenient: Bool
  /// Whether to read the words that other tools write for numbers.
  var takesNonNumbers = false
  private static let nonNumbers: [StaticString] = ["NaN", "Infinity", "-Infinity"]
  /// The deepest allowed nesting; a deeper document could overflow the stack.
  let deepest: Int
  /// The path of a value to find: when the tree reader reaches it, it stops with an error.
  var wanted: String?
  var position = 0
  var steps: [Step] = []

  package init(_ bytes: [UInt8], file: String, isLenient: Bool = false) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    self.file = file
    self.isLenient = isLenient
    deepest = isLenient ? 512 : 64
  }

  // MARK: Values

  /// Passes each member of an object that is not `null` to a closure, which must read it or ``skip()`` it.
  package mutating func object(
    _ what: String, _ member: (inout JSONCursor, String) throws(ProfileError) -> Void
  ) throws(ProfileError) {
    skipSpace()
    guard peek == UInt8(ascii: "{") else { throw wrong(what, "an object in braces") }
    try members { (cursor, key) throws(ProfileError) in
      cursor.skipSpace()
      if !cursor.takeWord("null") { try member(&cursor, key) }
    }
  }

  /// Passes each element of a list to a closure, which must read or ``skip()`` it.
  package mutating func array(
    _ what: String, _ element: (inout JSONCursor) throws(ProfileError) -> Void
  ) throws(ProfileError) {
    skipSpace()
    // A converter from XML, as for archives of Internet Explorer, writes a list of one element as that element.
    if isLenient, peek == UInt8(ascii: "{") { return try element(&self) }
    guard peek == UInt8(ascii: "[") else { throw wrong(what, "a list in square brackets") }
    try elements(element)
  }

  /// Passes each element of a list to a closure; the list's opening bracket must be the next byte.
  mutating func elements(
    _ element: (inout JSONCursor) throws(ProfileError) -> Void
  ) throws(ProfileError) {
    try checkDepth(steps.count + 1)
    position += 1
    var index = 0
    while try next(UInt8(ascii: "]"), isFirst: index == 0) {
      steps.append(.index(index))
      try element(&self)
      steps.removeLast()
      index += 1
    }
  }

  /// Passes each member of an object to a closure; the opening brace must be the next byte.
  ///
  /// Unless lenient, duplicate keys are an error.
  mutating func members(
    _ member: (inout JSONCursor, String) throws(ProfileError) -> Void
  ) throws(ProfileError) {
    try checkDepth(steps.count + 1)
    position += 1
    var keys = Set<String>()
    var isFirst = true
    while try next(UInt8(ascii: "}"), isFirst: isFirst) {
      isFirst = false
      let start = position
      let key = try key()
      guard isLenient || keys.insert(key).inserted else {
        throw syntax("the key \(key.quoted) is given twice in one object", at: start)
      }
      steps.append(.key(key))
      try member(&self, key)
      steps.removeLast()
    }
  }

  package mutating func string(_ what: String) throws(ProfileError) -> String {
    skipSpace()
    guard peek == UInt8(ascii: "\"") else { throw wrong(what, "a string in quotation marks") }
    return try text()
  }

  /// Reads a string, or a number or truth value as its text; if lenient, also an object or a list.
  package mutating func label(_ what: String) throws(ProfileError) -> String {
    skipSpace()
    let start = position
    guard let byte = peek, byte != UInt8(ascii: "\""),
      isLenient || byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[")
    else { return try string(what) }
    try skip()
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  package mutating func bool(_ what: String) throws(ProfileError) -> Bool {
    skipSpace()
    if takeWord("true") || isLenient && takeWord("\"true\"") { return true }
    if takeWord("false") || isLenient && takeWord("\"false\"") { return false }
    throw wrong(what, "true or false")
  }

  mutating func takeNonNumber() -> String? {
    guard takesNonNumbers else { return nil }
    return Self.nonNumbers.first { takeWord($0) }.map { "\($0)" }
  }

  /// Reads a number within a range with whole bounds.
  package mutating func number(_ what: String, _ range: ClosedRange<Double>) throws(ProfileError) -> Double {
    skipSpace()
    let start = position
    let right = "a number from \(Int64(range.lowerBound)) to \(Int64(range.upperBound))"
    guard let first = peek, first == UInt8(ascii: "-") || first.isDigit else { throw wrong(what, right) }
    try skipNumber()
    guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), range.contains(value) else {
      position = start
      throw wrong(what, right)
    }
    return value
  }

  /// Reads a whole number within a range, written as `200` or `200.0`.
  package mutating func whole(_ what: String, _ range: ClosedRange<Int64>) throws(ProfileError) -> Int64 {
    skipSpace()
    let start = position
    let value = try number(what, Double(range.lowerBound)...Double(range.upperBound))
    guard value == value.rounded(), let whole = Int64(exactly: value), range.contains(whole) else {
      position = start
      throw wrong(what, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  package mutating func end() throws(ProfileError) {
    skipSpace()
    guard position == bytes.count else { throw syntax("nothing may follow the end of the document") }
  }

  /// Skips a value of any kind, and checks its syntax.
  package mutating func skip() throws(ProfileError) {
    // The open brackets, instead of recursion: the document must not decide how much stack is used.
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
      case _ where takeNonNumber() != nil: break
      case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: try skipNumber()
      default:
        guard takeWord("true") || takeWord("false") || takeWord("null") else { throw noValue }
      }
      // After a value, its lists and objects may end, too.
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
