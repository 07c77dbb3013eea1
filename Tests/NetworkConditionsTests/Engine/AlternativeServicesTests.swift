import LinkSimulator
@testable import NetworkConditions
import Testing
import URLLoading

/// Servers that announce HTTP/3 by `Alt-Svc`: `"http3": { "announced": "Alt-Svc" }`.
struct AlternativeServicesTests {
  private static let server = ServerAddress(URL(string: "https://api.notes.test/feed"))

  private static func services(_ fields: String..., at time: SimulatedInstant = .zero) -> AlternativeServices {
    var services = AlternativeServices()
    for field in fields {
      services.learn(
        from: ResponseHead(headers: [HeaderField("alt-svc", field)]), of: server, at: time)
    }
    return services
  }

  private static func instant(_ seconds: Int64) -> SimulatedInstant { .zero.advanced(by: .seconds(seconds)) }

  @Test(arguments: [
    #"h3=":443""#, #"h2=":8443", h3=":443"; ma=60"#, #"h3="api.notes.test:443";ma=60;persist=1"#,
    #"h3-29=":443"; ma=60 , h3 = ":443""#, #"quic="a,b:443", h3=":443""#,
  ])
  func `an Alt-Svc field for the same host and port announces HTTP/3`(field: String) {
    #expect(Self.services(field).offersHTTP3(Self.server, at: Self.instant(59)))
  }

  @Test(arguments: [
    "", "clear", "h3", "h3=", #"h2=":443""#, #"h3-29=":443""#, #"h3=":8443""#, #"h3="cdn.notes.test:443""#,
    #"h3=":443"; ma=0"#, #"quic="1,h3=:443,2""#,
  ])
  func `an Alt-Svc field without HTTP/3 at the same host and port is ignored`(field: String) {
    #expect(!Self.services(field).offersHTTP3(Self.server, at: .zero))
  }

  @Test func `an Alt-Svc announcement is valid for its max age, or for a day`() {
    let services = Self.services(#"h3=":443"; ma=60"#, at: Self.instant(10))
    #expect(
      services.offersHTTP3(Self.server, at: Self.instant(69))
        && !services.offersHTTP3(Self.server, at: Self.instant(70)))
    let other = Self.services(#"h3=":443""#)
    #expect(
      other.offersHTTP3(Self.server, at: Self.instant(86_399))
        && !other.offersHTTP3(Self.server, at: Self.instant(86_400)))
    let long = Self.services(#"h3=":443"; ma=4294967296"#)
    #expect(long.offersHTTP3(Self.server, at: Self.instant(86_400)))
  }

  @Test func `a later Alt-Svc field replaces an earlier one, and a response without one changes nothing`() {
    var services = Self.services(#"h3=":443""#, "clear")
    #expect(!services.offersHTTP3(Self.server, at: .zero))
    services = Self.services(#"h3=":443""#)
    services.learn(from: ResponseHead(), of: Self.server, at: .zero)
    #expect(services.offersHTTP3(Self.server, at: .zero))
  }

  @Test func `a network change forgets Alt-Svc announcements that do not persist`() {
    var services = Self.services(#"h3=":443""#)
    services.forgetNetwork()
    #expect(!services.offersHTTP3(Self.server, at: .zero))
    services = Self.services(#"h3=":443"; persist=1"#)
    services.forgetNetwork()
    #expect(services.offersHTTP3(Self.server, at: .zero))
  }

  // MARK: In a network

  /// Sends requests to a server that announces HTTP/3, with pauses of so many seconds.
  private static func versions(
    after pauses: [Int64], _ more: String = "", address: String = "https://127.0.0.1/"
  ) async throws -> [StreamRequest.HTTPVersion] {
    let profile = try NetworkProfile(
      json: Data(
        """
        { "name": "new", "down": { "delay": "50 ms" }, "up": { "delay": "50 ms" },
          "http": { "version": "3", "keepAlive": "30 s" }, "http3": { "announced": "Alt-Svc" }\(more) }
        """.utf8))
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
    return try await Simulation(profile) { network in
      network.stub("/*", with: .text("a").header("Alt-Svc", #"h3=":443"; ma=100"#))
      for pause in pauses {
        try await network.clock.sleep(for: .seconds(pause))
        _ = try await network.session.data(from: url(address))
      }
    }.timeline.transfers.map(\.version)
  }

  @Test func `requests use HTTP/2 until the connection ends and then the announced HTTP/3`() async throws {
    #expect(try await Self.versions(after: [0, 29, 31, 1]) == [.http2, .http2, .http3, .http3])
  }

  @Test func `the next connection after an expired announcement uses HTTP/2`() async throws {
    #expect(try await Self.versions(after: [0, 101]) == [.http2, .http2])
  }

  @Test func `a handover makes the client forget an HTTP/3 announcement`() async throws {
    let phases = #", "phases": [{ "for": "10 s" }, { "device": { "interface": "cellular" } }]"#
    #expect(try await Self.versions(after: [0, 11], phases) == [.http2, .http2])
    #expect(try await Self.versions(after: [0, 11], #", "phases": [{ "for": "10 s" }, {}]"#) == [.http2, .http2])
    #expect(try await Self.versions(after: [0, 31, 31], phases) == [.http2, .http2, .http3])
  }

  @Test func `a client that was offline remembers an HTTP/3 announcement`() async throws {
    let phases = #", "phases": [{ "for": "10 s" }, { "for": "10 s", "outage": "refuse" }, {}]"#
    #expect(try await Self.versions(after: [0, 31], phases) == [.http2, .http3])
  }

  @Test func `an Alt-Svc field over plain HTTP is ignored`() async throws {
    #expect(try await Self.versions(after: [0, 31], address: "http://127.0.0.1/") == [.http1, .http1])
  }

  @Test func `an unknown kind of HTTP/3 announcement is an error that says what to write`() {
    let error = #expect(throws: ProfileError.self) {
      try NetworkProfile(json: Data(#"{ "name": "a", "http3": { "announced": "header" } }"#.utf8))
    }
    let message = error?.description ?? ""
    #expect(
      message.contains(#"http3.announced: "header" is not a valid announcement of HTTP/3; write "DNS" or "Alt-Svc""#),
      "\(message)")
  }
}
