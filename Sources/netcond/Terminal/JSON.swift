import NetworkConditions

/// A JSON value whose object keeps its order, for output that people read too.
enum JSON: Equatable, Sendable, ExpressibleByStringInterpolation {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  init(stringLiteral value: String) {
    self = .string(value)
  }

  /// A text, or null.
  init(_ value: String?) {
    self = value.map { .string($0) } ?? .null
  }

  /// Seconds, to the microsecond, or null.
  init(seconds duration: Duration?) {
    self = duration.map { .number(Double(Int64(($0 / .microseconds(1)).rounded())) / 1e6) } ?? .null
  }

  static func == (left: JSON, right: JSON) -> Bool {
    left.text == right.text
  }

  /// The value as one line.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .number(let value):
      if !value.isFinite {
        "null"
      } else if value == value.rounded(), abs(value) < 1e15 {
        "\(Int64(value))"
      } else {
        "\(value)"
      }
    case .string(let value): JSONValue.quoted(value)
    case .array(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    case .object(let pairs):
      "{\(pairs.map { "\(JSONValue.quoted($0)): \($1.text)" }.joined(separator: ", "))}"
    }
  }
}

extension Console {
  /// Prints the one object of `--json`.
  func out(_ json: JSON) {
    out(json.text + "\n")
  }
}
