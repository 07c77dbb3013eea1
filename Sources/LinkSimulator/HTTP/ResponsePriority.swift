/// The place of a response among those that share a connection of HTTP/2 or HTTP/3 (RFC 9218, section 4).
public struct ResponsePriority: Hashable, Sendable {
  /// From 0, the most urgent, to 7; 3 is usual.
  public var urgency = 3
  /// Whether it is of use piece by piece, so that it shares its turn with others of its urgency.
  public var isIncremental = false

  /// The usual place.
  public init() {}

  /// Reads the header field `Priority`, such as `u=1, i`; what it cannot understand is passed over, as section 4 asks.
  public init(field: String) {
    for member in field.split(separator: ",") {
      let parts = member.drop { $0 == " " || $0 == "\t" }.split(separator: "=", maxSplits: 1)
      let value = parts.count > 1 ? parts[1].prefix { $0 != ";" && $0 != " " } : "?1"
      switch parts.first {
      case "u": if let number = Int(value), (0...7).contains(number) { urgency = number }
      case "i": if value == "?1" || value == "?0" { isIncremental = value == "?1" }
      default: break
      }
    }
  }
}
