/// The header fields that are meant only for the next hop, which a proxy does not pass on (RFC 9110, section 7.6.1).
struct HopFields {
  /// Fields that belong to one hop even if `Connection` does not name them.
  private static let known: Set = ["keep-alive", "proxy-connection", "te"]
  /// Fields that decide how a message is read, so `Connection` must not name them.
  private static let framing: Set = ["content-length", "transfer-encoding", "host"]

  private let options: Set<String>
  /// Whether the message asks for, or agrees to, a protocol upgrade.
  let upgrades: Bool

  init(_ fields: HTTPFields, isOld: Bool) throws(HTTPError) {
    options = Set(fields.elements(of: "connection"))
    guard options.isDisjoint(with: Self.framing) else {
      throw HTTPError("Connection names a field that is needed to read the message.")
    }
    upgrades = !isOld && options.contains("upgrade") && !fields["upgrade"].isEmpty
  }

  var closes: Bool { options.contains("close") }

  /// Returns the fields to pass on, with the proxy's own `Connection`.
  func passed(_ fields: HTTPFields, closing: Bool) -> HTTPFields {
    let words = (closing ? ["close"] : []) + (upgrades ? ["Upgrade"] : [])
    let isSaid = options == Set(words.map { $0.lowercased() })
    var passed = fields
    passed.removeAll { name in
      switch name {
      case "connection": !isSaid
      case "upgrade": !upgrades
      default: Self.known.contains(name) || options.contains(name)
      }
    }
    if !isSaid, !words.isEmpty { passed.append("Connection", words.joined(separator: ", ")) }
    return passed
  }
}
