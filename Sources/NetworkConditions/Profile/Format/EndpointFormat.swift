import LinkSimulator

enum EndpointFormat {
  private typealias Member = FaultMember<PathConfiguration>
  private static let sections: [(key: String, name: String, members: [Member])] = [
    ("tcp", "TCP", [.choice("congestion", \.congestionControl, of: "congestion control", example: .reno)]),
    (
      "http", "HTTP",
      [
        .choice("version", \.secureVersion, of: "version of HTTP"),
        .count("connectionsPerHost", \.connectionsPerHost, 1 ... .max, of: "a number of connections"),
        .count("streamsPerConnection", \.streamsPerConnection, 1 ... .max, of: "a number of streams"),
        .duration("keepAlive", \.keepAlive, example: nil), .duration("serverKeepAlive", \.serverKeepAlive),
        .choice("repeats", \.repeats, of: "choice of requests that are sent again"),
        .choice("scheduling", \.scheduling, of: "way to share a connection"),
      ]
    ),
    (
      "http3", "HTTP/3",
      [
        .choice("announced", \.http3Announcement, of: "announcement of HTTP/3"),
        .choice("migration", \.migration, of: "choice of ends that migrate"),
        .flag("validatesAddresses", \.validatesAddresses), .flag("resumesSessions", \.resumesSessions),
      ]
    ),
    (
      "tls", "TLS",
      [.bytes("certificates", \.certificates), .duration("computing", \.handshakeComputing, example: nil)]
    ),
    ("nat", "NAT", [.duration("timeout", \.natTimeout, example: "\"5 min\"")]),
  ]
  static let keys = sections.map(\.key)

  static func read(_ object: FormatObject) throws(ProfileError) -> PathConfiguration {
    var ends = PathConfiguration()
    for section in sections {
      guard let reader = object[section.key] else { continue }
      let given = try reader.object(keys: section.members.map(\.key), of: section.name)
      try given.read(section.members, into: &ends)
      guard !given.keys.isEmpty else { throw reader.error("\(section.name) is empty; leave it out") }
    }
    return ends
  }

  static func write(_ ends: PathConfiguration) -> [JSONValue.Member] {
    let usual = PathConfiguration()
    return sections.compactMap { section in
      let members = section.members.compactMap { member in
        member.write(ends).flatMap { $0 == member.write(usual) ? nil : JSONValue.Member(member.key, $0) }
      }
      return members.isEmpty ? nil : .init(section.key, .object(members))
    }
  }
}
