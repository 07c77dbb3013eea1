/// A JSON document that keeps the order of members and the text of numbers.
package indirect enum JSONValue: Hashable, Sendable {
  case object([Member])
  case array([JSONValue])
  case string(String)
  case number(String)
  case bool(Bool)
  case null

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

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

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByDictionaryLiteral {
  package init(stringLiteral value: String) { self = .string(value) }

  /// Creates an object of these members, in their order, without `nil` values.
  package init(dictionaryLiteral members: (String, JSONValue?)...) {
    self = .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }

  static func present(_ members: KeyValuePairs<String, JSONValue?>) -> [Member] {
    members.compactMap { key, value in value.map { Member(key, $0) } }
  }

  package static func members(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { Member($0.0, $0.1) })
  }

  package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  package static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

  /// A number, or `null` if it is not finite.
  package static func real(_ value: Double) -> JSONValue {
    guard value.isFinite else { return .null }
    return .number(value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)")
  }
}
