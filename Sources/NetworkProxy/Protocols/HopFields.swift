/// The fields that are meant for the next hop alone, which a proxy does not pass on (RFC 9110, section 7.6.1).
struct HopFields {
  /// Those that are of a hop even where `Connection` does not name them.
  private static let known: Set = ["keep-alive", "proxy-connection", "te"]
  /// Fields without which a message is read differently; no sender may name them as those of a hop.
  private static let framing: Set = ["content-length", "transfer-encoding", "host"]

  private let options: Set<String>
  /// Whether a switch to another protocol is asked for, or agreed to.
  let upgrades: Bool

  init(_ fields: HTTPFields, isOld: Bool) throws(HTTPError) {
    options = Set(fields.elements(of: "connection"))
    guard options.isDisjoint(with: Self.framing) else {
      throw HTTPError("Connection names a field that a message cannot be read without.")
    }
    upgrades = !isOld && options.contains("upgrade") && !fields["upgrade"].isEmpty
  }

  var closes: Bool { options.contains("close") }

  /// The fields that are passed on, with what the proxy itself says of its connection.
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
