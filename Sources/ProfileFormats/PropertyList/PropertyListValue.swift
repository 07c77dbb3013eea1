import NetworkConditions

/// A value of a property list, as far as settings of networks need it.
indirect enum PropertyListValue: Sendable {
  case dictionary([(key: String, value: PropertyListValue)])
  case array([PropertyListValue])
  case string(String)
  /// A number, as it is written in decimal.
  case number(String)
  case bool(Bool)
  /// A date or bytes, which no setting here is.
  case other

  /// The value as an error shows it.
  var shown: String {
    switch self {
    case .dictionary: "a dictionary"
    case .array: "an array"
    case .string(let text): text.quoted
    case .number(let text): String(text.prefix(60))
    case .bool(let flag): "\(flag)"
    case .other: "a date or data"
    }
  }

  /// Lists and dictionaries may not be nested deeper than this, so that no document exhausts the stack.
  static let deepest = 32
}
