/// A response's priority on an HTTP/2 or HTTP/3 connection (RFC 9218, section 4).
public struct ResponsePriority: Hashable, Sendable {
  /// The urgency from 0, the highest, to 7; the default is 3.
  public var urgency = 3
  /// Whether parts of the response are useful, so that it takes turns with others of its urgency.
  public var isIncremental = false

  /// Creates the default priority.
  public init() {}

  /// Reads the header field `Priority`, such as `u=1, i`; unknown parts are ignored, as section 4 requires.
  public init(field: String) {
    for member in field.split(separator: ",") {
      let parts = member.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.split(separator: "=", maxSplits: 1)
      let value = parts.count > 1 ? parts[1] : "?1"
      switch parts.first {
      case "u": if let number = Int(value), (0...7).contains(number) { urgency = number }
      case "i": if value == "?1" || value == "?0" { isIncremental = value == "?1" }
      default: break
      }
    }
  }
}
