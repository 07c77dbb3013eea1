import Foundation

/// Reads JSON (RFC 8259) strictly into a tree; errors name the line and column.
package enum JSONParser {
  fileprivate static let words: [(StaticString, JSONValue)] = [
    ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
  ]

  /// A document above this size is checked before it is read into a tree, which takes twenty times its size in memory.
  private static let fewBytes = 1 << 20

  package static func parse(
    _ data: Data, file: String, as kind: DocumentKind = .profile
  ) throws(ProfileError) -> JSONValue {
    let bytes = try kind.bytes(of: data, file: file)
    var cursor = JSONCursor(bytes, file: file)
    cursor.takesNonNumbers = kind.takesNonNumbers
    if bytes.count > fewBytes {
      try cursor.survey()
      cursor.position = 0
    }
    let value = try cursor.tree()
    try cursor.end()
    return value
  }

  /// The value at a path, as errors print it; `nil` if there is none.
  static func shown(at path: String, in bytes: [UInt8]) -> String? {
    var cursor = JSONCursor(bytes, file: "")
    cursor.wanted = path
    do throws(ProfileError) { _ = try cursor.tree() } catch { return cursor.shown }
    return nil
  }

  package static func place(of path: String, in data: Data) -> (line: Int, column: Int)? {
    var cursor = JSONCursor([UInt8](data), file: "")
    cursor.wanted = path
    do throws(ProfileError) {
      _ = try cursor.tree()
    } catch {
      if case .syntax(_, let line, let column, _) = error { return (line, column) }
    }
    return nil
  }
}

extension JSONCursor {
  /// Reads a value of any kind with its contents; duplicate keys in one object are an error.
  fileprivate mutating func tree() throws(ProfileError) -> JSONValue {
    skipSpace()
    if let wanted, path == wanted { throw syntax("here it is") }
    for (word, value) in JSONParser.words where takeWord(word) { return value }
    if let word = takeNonNumber() { return .number(word) }
    switch peek {
    case UInt8(ascii: "{"):
      var members: [JSONValue.Member] = []
      try self.members { cursor, key throws(ProfileError) in members.append(.init(key, try cursor.tree())) }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try self.elements { cursor throws(ProfileError) in elements.append(try cursor.tree()) }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try text())
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit:
      let start = position
      try skipNumber()
      return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    default: throw noValue
    }
  }
}
