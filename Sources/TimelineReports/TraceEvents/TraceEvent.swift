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

  var kind: Kind
  var name: String
  var category = ""
  /// In nanoseconds.
  var time: Int64 = 0
  /// In nanoseconds; of slices only.
  var length: Int64 = 0
  var process: Int
  var thread: Int
  var arguments: [(String, JSONValue)] = []

  /// The event as JSON on one line, its members always in the same order.
  var json: String {
    let value: JSONValue = [
      "name": .string(name), "ph": .string(kind.rawValue), "cat": category.isEmpty ? nil : .string(category),
      "ts": kind == .metadata ? nil : .number(DecimalText.of(time, places: 3)),
      "dur": kind == .complete ? .number(DecimalText.of(length, places: 3)) : nil,
      "pid": .integer(process), "tid": .integer(thread),
      // An instant belongs to its thread; of the network as a whole, to all.
      "s": kind == .instant ? .string(process == Self.networkProcess ? "g" : "t") : nil,
      "args": arguments.isEmpty ? nil : .members(arguments),
    ]
    return value.compactText
  }

  /// The process that stands for the network as a whole.
  static let networkProcess = 1
}
