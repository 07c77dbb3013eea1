struct HTTPFields: Equatable {
  struct Field: Equatable {
    let name: String
    let value: String
    /// The value exactly as it was received; bytes beyond ASCII have no known encoding.
    let bytes: [UInt8]
  }

  private(set) var all: [Field] = []

  subscript(_ name: String) -> [String] {
    all.filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }.map(\.value)
  }

  func elements(of name: String) -> [String] {
    self[name].flatMap { $0.split(separator: ",") }.map { $0.trimmed.lowercased() }
  }

  mutating func append(_ field: Field) { all.append(field) }
  mutating func append(_ name: String, _ value: String) {
    append(Field(name: name, value: value, bytes: Array(value.utf8)))
  }
  mutating func removeAll(where isUnwanted: (String) -> Bool) { all.removeAll { isUnwanted($0.name.lowercased()) } }

  var bytes: [UInt8] { all.flatMap { Array("\($0.name): ".utf8) + $0.bytes + [13, 10] } }
}

/// Why a message was refused, and the HTTP status that says so.
struct HTTPError: Error, Equatable {
  let status: Int
  let sentence: String

  init(_ sentence: String, status: Int = 400) {
    self.status = status
    self.sentence = sentence
  }
}

/// The head of a message exactly as it was received: its first line, its fields, and its length in bytes.
struct HTTPHead: Equatable {
  /// The longest head in bytes, a little more than nginx allows (`large_client_header_buffers`, 4 of 8 KiB).
  static let longest = 64 << 10
  private static let mostFields = 256

  let firstLine: String
  var fields = HTTPFields()
  let byteCount: Int
  /// Whether every program reads the head in the same way, so that the proxy may pass it on unchanged.
  private(set) var isPlain: Bool

  /// Reads a head; `nil` while it is incomplete.
  ///
  /// An ambiguous head is refused (request smuggling): names that are not tokens, folded lines, bare carriage returns
  /// (RFC 9112, sections 2.2, 5.1 and 5.2). In an answer, whitespace before a colon is removed (section 5.1).
  init?(_ bytes: ArraySlice<UInt8>, ofAnswer isAnswer: Bool = false) throws(HTTPError) {
    var place = bytes.startIndex
    // An empty line before a request is ignored (section 2.2).
    while place < bytes.endIndex, bytes[place] == 13 || bytes[place] == 10 { place += 1 }
    // A TLS client's head, for example, would never end.
    if !isAnswer, place < bytes.endIndex, !Self.isToken(bytes[place]) {
      throw HTTPError("No request begins with the byte \(bytes[place]). This port speaks no TLS.")
    }
    guard let end = Self.end(of: bytes[place...]) else {
      guard bytes.count <= Self.longest else { throw HTTPError("The head is longer than 64 KiB.", status: 431) }
      return nil
    }
    guard end - bytes.startIndex <= Self.longest else {
      throw HTTPError("The head is longer than 64 KiB.", status: 431)
    }
    byteCount = end - bytes.startIndex
    var lines = bytes[place..<end].split(separator: 10, omittingEmptySubsequences: true)
    isPlain = place == bytes.startIndex && lines.allSatisfy { $0.last == 13 }
    lines = lines.map { $0.last == 13 ? $0.dropLast() : $0 }
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    guard let first = lines.first else { throw HTTPError("The head is empty.") }
    firstLine = try Self.text(first)
    guard isAnswer || first.elementsEqual(firstLine.utf8) else {
      throw HTTPError("The first line is not UTF-8; write other bytes with percent signs.")
    }
    guard lines.count - 1 <= Self.mostFields else {
      throw HTTPError("The head has more than \(Self.mostFields) fields.", status: 431)
    }
    for line in lines.dropFirst() {
      guard line.first != 32, line.first != 9 else { throw HTTPError("A field is folded over two lines.") }
      guard let colon = line.firstIndex(of: 58) else { throw HTTPError("A field has no colon.") }
      var name = line[..<colon]
      if isAnswer, let last = name.last, last == 32 || last == 9 {
        name = name.prefix { $0 != 32 && $0 != 9 }
        isPlain = false
      }
      guard !name.isEmpty, name.allSatisfy(Self.isToken) else { throw HTTPError("A field's name is not a token.") }
      let rest = line[(colon + 1)...].drop { $0 == 32 || $0 == 9 }
      let value = rest[..<((rest.lastIndex { $0 != 32 && $0 != 9 } ?? rest.startIndex - 1) + 1)]
      fields.append(HTTPFields.Field(name: try Self.text(name), value: try Self.text(value), bytes: Array(value)))
    }
  }

  /// Returns the end of a head: after the first empty line.
  private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
    var place = bytes.startIndex
    while let feed = bytes[place...].firstIndex(of: 10) {
      let next = feed + 1
      if next < bytes.endIndex, bytes[next] == 10 { return next + 1 }
      if next + 1 < bytes.endIndex, bytes[next] == 13, bytes[next + 1] == 10 { return next + 2 }
      place = next
    }
    return nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws(HTTPError) -> String {
    guard bytes.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 }) else {
      throw HTTPError("A line of the head has a control character.")
    }
    return String(validating: bytes, as: UTF8.self) ?? String(decoding: bytes.map { $0 < 128 ? $0 : 63 }, as: UTF8.self)
  }

  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    case 33, 35, 36, 37, 38, 39, 42, 43, 45, 46, 94, 95, 96, 124, 126: true
    default: false
    }
  }
}

extension StringProtocol {
  var trimmed: String {
    let start = firstIndex { $0 != " " && $0 != "\t" } ?? endIndex
    let end = lastIndex { $0 != " " && $0 != "\t" }.map { index(after: $0) } ?? start
    return start < end ? String(self[start..<end]) : ""
  }
}
