/// A JSON document as it was written: members in their order, numbers as their text.
package indirect enum JSONValue: Hashable, Sendable {
  case object([Member])
  case array([JSONValue])
  case string(String)
  /// A number, as it is written.
  case number(String)
  case bool(Bool)
  case null

  /// One key of an object and its value.
  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value as an error shows it.
  package var shown: String {
    switch self {
    case .object: "an object"
    case .array: "a list"
    case .string(let text): text.quoted
    case .number(let text): String(text.prefix(60))
    case .bool(let flag): "\(flag)"
    case .null: "null"
    }
  }
}
