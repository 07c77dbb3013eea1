import LinkSimulator

/// Reads and writes the behaviour of a path's two ends: `"tcp": { "congestion": "bbr" }`, `"http": { "keepAlive": "30
/// s" }`.
enum EndpointFormat {
  static let keys = ["tcp", "http", "http3", "tls", "nat"]

  static func read(_ object: FormatObject) throws(ProfileError) -> PathConfiguration {
    var ends = PathConfiguration()
    if let tcp = try object["tcp"]?.object(keys: ["congestion"], of: "TCP") {
      ends.congestionControl = try choice(
        try tcp.required("congestion", "write for example \"congestion\": \"reno\""), "congestion control")
    }
    if let nat = try object["nat"]?.object(keys: ["timeout"], of: "NAT") {
      ends.natTimeout = try nat.required("timeout", "write for example \"timeout\": \"5 min\"").duration()
    }
    if let http3 = object["http3"] { try readHTTP3(http3, &ends) }
    if let tls = object["tls"] { try readSecurity(tls, &ends) }
    guard let reader = object["http"] else { return ends }
    let http = try reader.object(
      keys: [
        "version", "connectionsPerHost", "streamsPerConnection", "keepAlive", "serverKeepAlive", "repeats",
        "scheduling",
      ],
      of: "HTTP")
    guard !http.keys.isEmpty else { throw reader.error("nothing is said of HTTP; leave it out") }
    if let version = http["version"] { ends.secureVersion = try choice(version, "version of HTTP") }
    if let count = http["connectionsPerHost"] {
      ends.connectionsPerHost = try count.count(1 ... .max, "a number of connections")
    }
    if let count = http["streamsPerConnection"] {
      ends.streamsPerConnection = try count.count(1 ... .max, "a number of streams")
    }
    if let time = http["keepAlive"] { ends.keepAlive = try time.duration() }
    if let time = http["serverKeepAlive"] { ends.serverKeepAlive = try time.duration() }
    if let which = http["repeats"] { ends.repeats = try choice(which, "choice of requests that are sent again") }
    if let which = http["scheduling"] { ends.scheduling = try choice(which, "way to share a connection") }
    return ends
  }

  private static func readSecurity(_ reader: FormatReader, _ ends: inout PathConfiguration) throws(ProfileError) {
    let tls = try reader.object(keys: ["certificates", "computing"], of: "TLS")
    guard !tls.keys.isEmpty else { throw reader.error("nothing is said of TLS; leave it out") }
    if let size = tls["certificates"] { ends.certificates = try size.bytes().bytes }
    if let time = tls["computing"] { ends.handshakeComputing = try time.duration() }
  }

  private static func readHTTP3(_ reader: FormatReader, _ ends: inout PathConfiguration) throws(ProfileError) {
    let http3 = try reader.object(
      keys: ["announced", "migration", "validatesAddresses", "resumesSessions"], of: "HTTP/3")
    guard !http3.keys.isEmpty else { throw reader.error("nothing is said of HTTP/3; leave it out") }
    if let which = http3["announced"] { ends.http3Announcement = try choice(which, "announcement of HTTP/3") }
    if let which = http3["migration"] { ends.migration = try choice(which, "choice of ends that migrate") }
    if let flag = http3["validatesAddresses"] { ends.validatesAddresses = try flag.bool() }
    if let flag = http3["resumesSessions"] { ends.resumesSessions = try flag.bool() }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ reader: FormatReader, _ what: String
  ) throws(ProfileError) -> Choice {
    guard case .string(let name) = reader.value, let choice = Choice(rawValue: name) else {
      let names = Choice.allCases.map(\.rawValue.quoted).joined(separator: " or ")
      throw reader.error("\(reader.value.shown) is no \(what); write \(names)")
    }
    return choice
  }

  /// The members that say how the ends differ from the usual ones.
  static func write(_ ends: PathConfiguration) -> [JSONValue.Member] {
    let usual = PathConfiguration()
    var members: [JSONValue.Member] = []
    if ends.congestionControl != usual.congestionControl {
      members.append(.init("tcp", .object([.init("congestion", .string(ends.congestionControl.rawValue))])))
    }
    var http: [JSONValue.Member] = []
    if ends.secureVersion != usual.secureVersion {
      http.append(.init("version", .string(ends.secureVersion.rawValue)))
    }
    if ends.connectionsPerHost != usual.connectionsPerHost {
      http.append(.init("connectionsPerHost", .number("\(ends.connectionsPerHost)")))
    }
    if ends.streamsPerConnection != usual.streamsPerConnection {
      http.append(.init("streamsPerConnection", .number("\(ends.streamsPerConnection)")))
    }
    if ends.keepAlive != usual.keepAlive { http.append(.init("keepAlive", .string(ends.keepAlive.formatText))) }
    if let time = ends.serverKeepAlive { http.append(.init("serverKeepAlive", .string(time.formatText))) }
    if ends.repeats != usual.repeats { http.append(.init("repeats", .string(ends.repeats.rawValue))) }
    if ends.scheduling != usual.scheduling {
      http.append(.init("scheduling", .string(ends.scheduling.rawValue)))
    }
    if !http.isEmpty { members.append(.init("http", .object(http))) }
    var http3: [JSONValue.Member] = []
    if ends.http3Announcement != usual.http3Announcement {
      http3.append(.init("announced", .string(ends.http3Announcement.rawValue)))
    }
    if ends.migration != usual.migration { http3.append(.init("migration", .string(ends.migration.rawValue))) }
    if ends.validatesAddresses { http3.append(.init("validatesAddresses", .bool(true))) }
    if ends.resumesSessions { http3.append(.init("resumesSessions", .bool(true))) }
    if !http3.isEmpty { members.append(.init("http3", .object(http3))) }
    var tls: [JSONValue.Member] = []
    if ends.certificates != usual.certificates {
      tls.append(.init("certificates", .string(ByteQuantity.bytes(ends.certificates).description)))
    }
    if ends.handshakeComputing != usual.handshakeComputing {
      tls.append(.init("computing", .string(ends.handshakeComputing.formatText)))
    }
    if !tls.isEmpty { members.append(.init("tls", .object(tls))) }
    if let time = ends.natTimeout {
      members.append(.init("nat", .object([.init("timeout", .string(time.formatText))])))
    }
    return members
  }
}
