import LinkSimulator

/// Reads and writes what the two ends of a path do: `"tcp": { "congestion": "bbr" }`, `"http": { "keepAlive": "30 s" }`.
enum EndpointFormat {
  static let keys = ["tcp", "http", "tls"]

  static func read(_ object: FormatObject) throws(ProfileError) -> PathConfiguration {
    var ends = PathConfiguration()
    if let tcp = try object["tcp"]?.object(keys: ["congestion"], of: "TCP") {
      ends.congestionControl = try congestionControl(
        try tcp.required("congestion", "write for example \"congestion\": \"reno\""))
    }
    if let tls = object["tls"] { try readSecurity(tls, &ends) }
    guard let reader = object["http"] else { return ends }
    let http = try reader.object(keys: ["connectionsPerHost", "streamsPerConnection", "keepAlive"], of: "HTTP")
    guard !http.keys.isEmpty else { throw reader.error("nothing is said of HTTP; leave it out") }
    if let count = http["connectionsPerHost"] {
      ends.connectionsPerHost = try count.count(1 ... .max, "a number of connections")
    }
    if let count = http["streamsPerConnection"] {
      ends.streamsPerConnection = try count.count(1 ... .max, "a number of streams")
    }
    if let time = http["keepAlive"] { ends.keepAlive = try time.duration() }
    return ends
  }

  private static func readSecurity(_ reader: FormatReader, _ ends: inout PathConfiguration) throws(ProfileError) {
    let tls = try reader.object(keys: ["certificates", "computing"], of: "TLS")
    guard !tls.keys.isEmpty else { throw reader.error("nothing is said of TLS; leave it out") }
    if let size = tls["certificates"] { ends.certificates = try size.bytes().bytes }
    if let time = tls["computing"] { ends.handshakeComputing = try time.duration() }
  }

  private static func congestionControl(
    _ reader: FormatReader
  ) throws(ProfileError) -> PathConfiguration.CongestionControl {
    guard case .string(let name) = reader.value, let control = PathConfiguration.CongestionControl(rawValue: name)
    else {
      let names = PathConfiguration.CongestionControl.allCases.map(\.rawValue.quoted).joined(separator: " or ")
      throw reader.error("\(reader.value.shown) is no congestion control; write \(names)")
    }
    return control
  }

  /// The members that say how the ends differ from the usual ones.
  static func write(_ ends: PathConfiguration) -> [JSONValue.Member] {
    let usual = PathConfiguration()
    var members: [JSONValue.Member] = []
    if ends.congestionControl != usual.congestionControl {
      members.append(.init("tcp", .object([.init("congestion", .string(ends.congestionControl.rawValue))])))
    }
    var http: [JSONValue.Member] = []
    if ends.connectionsPerHost != usual.connectionsPerHost {
      http.append(.init("connectionsPerHost", .number("\(ends.connectionsPerHost)")))
    }
    if ends.streamsPerConnection != usual.streamsPerConnection {
      http.append(.init("streamsPerConnection", .number("\(ends.streamsPerConnection)")))
    }
    if ends.keepAlive != usual.keepAlive { http.append(.init("keepAlive", .string(ends.keepAlive.formatText))) }
    if !http.isEmpty { members.append(.init("http", .object(http))) }
    var tls: [JSONValue.Member] = []
    if ends.certificates != usual.certificates {
      tls.append(.init("certificates", .string(ByteQuantity.bytes(ends.certificates).description)))
    }
    if ends.handshakeComputing != usual.handshakeComputing {
      tls.append(.init("computing", .string(ends.handshakeComputing.formatText)))
    }
    if !tls.isEmpty { members.append(.init("tls", .object(tls))) }
    return members
  }
}
