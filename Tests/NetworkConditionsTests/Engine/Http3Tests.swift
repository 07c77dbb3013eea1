import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// Links of 50 ms each way without a rate, to servers that speak HTTP/3.
struct Http3Tests {
  private static func profile(_ more: String = "") throws -> NetworkProfile {
    try NetworkProfile(
      json: Data(
        """
        { "name": "new", "down": { "delay": "50 ms" }, "up": { "delay": "50 ms" }, "http": { "version": "3" }\(more) }
        """.utf8))
  }

  private static func run(
    _ profile: NetworkProfile, _ body: @escaping @Sendable (URLSession) async throws -> Void
  ) async throws -> Timeline {
    try await Simulation(profile) { network in
      network.stub("/*", with: .text("a"))
      try await body(network.session)
    }.timeline
  }

  private static func get(_ session: URLSession, _ path: String) async throws {
    _ = try await session.data(from: url("https://127.0.0.1/" + path))
  }

  @Test func `HTTP/3 requests share one connection that takes one round trip to open`() async throws {
    let timeline = try await Self.run(Self.profile()) { session in
      async let first: Void = Self.get(session, "1")
      async let second: Void = Self.get(session, "2")
      _ = try await (first, second)
      try await Self.get(session, "3")
    }
    let transfers = timeline.transfers
    // The second request waits for the pause of its client's first burst: 2,797 bytes, at 5/4 of a window of 13,200 in 100 ms.
    let second = Duration.milliseconds(200) + .nanoseconds(16_951_515)
    #expect(transfers.map(\.elapsed) == [.milliseconds(200), second, .milliseconds(100)])
    #expect(transfers.map(\.reusedConnection) == [false, true, true] && transfers.allSatisfy { $0.version == .http3 })
  }

  @Test func `with UDP blocked a request uses HTTP/2 and the timeline shows the fallback`() async throws {
    let timeline = try await Self.run(Self.profile(#", "udp": "blocked""#)) { session in
      try await Self.get(session, "1")
      try await Self.get(session, "2")
    }
    #expect(timeline.transfers.map(\.version) == [.http2, .http2])
    // A quarter of a second for QUIC alone, then TCP, TLS and the request, each a round trip.
    #expect(timeline.transfers.map(\.elapsed) == [.milliseconds(550), .milliseconds(100)])
    #expect(timeline.events.filter { $0.kind == .fellBack }.map(\.transfer) == [0, 1])
    #expect(timeline.transfers.allSatisfy { $0.summary.hasSuffix("(HTTP/2, over TCP since QUIC failed)") })
    #expect(timeline.events.contains { $0.kind == .packetLost(.up, .blocked) })
  }

  @Test func `a profile whose phases block and open UDP survives writing and reading`() async throws {
    let phases = #", "phases": [{ "for": "1 s", "udp": "blocked" }, { "udp": "open" }]"#
    let profile = try Self.profile(phases)
    #expect(profile.phases.map(\.conditions.udp) == [.blocked, .open])
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
  }

  @Test(arguments: [("none", 2), ("server", 2), ("both", 1)])
  func `a handover ends the HTTP/3 connection unless both ends migrate`(migration: String, connections: Int)
    async throws
  {
    let phases = #", "phases": [{ "for": "1 s" }, { "device": { "interface": "cellular" } }]"#
    let timeline = try await Simulation(try Self.profile(#", "http3": { "migration": "\#(migration)" }"# + phases)) {
      network in
      network.stub("/*", with: .text("a"))
      try await Self.get(network.session, "1")
      try await network.clock.sleep(for: .seconds(2))
      try await Self.get(network.session, "2")
    }.timeline
    #expect(timeline.transfers.map(\.version) == [.http3, .http3])
    #expect(timeline.transfers.count { !$0.reusedConnection } == connections)
  }

  @Test func `address validation takes one round trip on the first connection to a host`() async throws {
    func times(_ more: String) async throws -> [Duration] {
      try await Simulation(try Self.profile(more)) { network in
        network.stub("/*", with: .text("a"))
        try await Self.get(network.session, "1")
        // Longer than a client keeps a connection.
        try await network.clock.sleep(for: .seconds(100))
        try await Self.get(network.session, "2")
      }.timeline.transfers.map(\.elapsed)
    }
    #expect(try await times("") == [.milliseconds(200), .milliseconds(200)])
    #expect(
      try await times(#", "http3": { "validatesAddresses": true }"#) == [.milliseconds(300), .milliseconds(200)])
  }

  @Test func `a rate limit on UDP drops QUIC packets and leaves TCP alone`() async throws {
    func losses(_ udp: String, _ address: String) async throws -> Int {
      let profile = try Self.profile(#", "udp": \#(udp)"#)
      #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
      let timeline = try await Simulation(profile) { network in
        network.stub("/*", with: .bytes(count: 1_000_000))
        _ = try await network.session.data(from: url(address))
      }.timeline
      return timeline.events.count { $0.kind == .packetLost(.down, .blocked) }
    }
    let limit = #"{ "rate": "2 Mbit/s" }"#
    #expect(try await losses(limit, "https://127.0.0.1/a") > 0)
    #expect(try await losses(limit, "http://127.0.0.1/a") == 0)
    #expect(try await losses(#""open""#, "https://127.0.0.1/a") == 0)
  }

  @Test func `an unknown setting for UDP is an error that says what to write`() {
    #expect(throws: ProfileError.self) { try Self.profile(#", "udp": "closed""#) }
    let message = #expect(throws: ProfileError.self) { try Self.profile(#", "udp": true"#) }
    #expect(
      message?.description.contains(
        #"udp: true is not a condition for UDP; write "open", "blocked" or { "rate": "1 Mbit/s" }"#) == true)
  }
}
