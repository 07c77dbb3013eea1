import NetworkConditions

/// One event of the Trace Event Format, as Chromium's tracing and Perfetto read it.
///
/// Source: the document "Trace Event Format" of the Chromium project; times are in microseconds, with decimals.
struct TraceEvent {
  /// What an event is, by the letter that the format gives it.
  enum Kind: String {
    case complete = "X"
    case instant = "i"
    case counter = "C"
    case metadata = "M"
  }

  /// The value of an argument.
  enum Value {
    case text(String)
    case integer(Int64)
    case number(Double)

    var json: String {
      switch self {
      case .text(let text): JSONValue.quoted(text)
      case .integer(let number): "\(number)"
      case .number(let number): number.isFinite ? "\(number)" : "0"
      }
    }
  }

  var kind: Kind
  var name: String
  var category = ""
  /// In nanoseconds.
  var time: Int64 = 0
  /// In nanoseconds; of slices only.
  var length: Int64 = 0
  var process: Int
  var thread: Int
  var arguments: [(name: String, value: Value)] = []

  /// The event as JSON on one line, its members always in the same order.
  var json: String {
    var members = ["\"name\":\(JSONValue.quoted(name))", "\"ph\":\"\(kind.rawValue)\""]
    if !category.isEmpty { members.append("\"cat\":\(JSONValue.quoted(category))") }
    if kind != .metadata { members.append("\"ts\":\(QuotedText.decimal(time, places: 3))") }
    if kind == .complete { members.append("\"dur\":\(QuotedText.decimal(length, places: 3))") }
    members += ["\"pid\":\(process)", "\"tid\":\(thread)"]
    // An instant belongs to its thread; of the network as a whole, to all.
    if kind == .instant { members.append("\"s\":\"\(process == Self.networkProcess ? "g" : "t")\"") }
    if !arguments.isEmpty {
      let list = arguments.map { "\(JSONValue.quoted($0.name)):\($0.value.json)" }
      members.append("\"args\":{\(list.joined(separator: ","))}")
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// The process that stands for the network as a whole.
  static let networkProcess = 1
}
