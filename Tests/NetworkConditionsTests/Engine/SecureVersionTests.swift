import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// HTTP/1.1 over TLS: `"http": { "version": "1.1" }`.
struct SecureVersionTests {
  /// 50 ms each way and no limit: a round trip for TCP, one for TLS, one for a request.
  private static func profile(_ version: StreamRequest.HTTPVersion) -> NetworkProfile {
    let link = LinkConditions(delay: .milliseconds(50))
    var profile = NetworkProfile(name: "far", down: link, up: link)
    profile.configuration.secureVersion = version
    return profile
  }

  /// Sends two requests at once and then one; returns each one's duration and whether it reused a connection.
  private static func transfers(
    _ profile: NetworkProfile, _ address: String = "https://127.0.0.1/", closing: Bool = false
  ) async throws -> (times: [Duration], reused: [Bool], versions: [StreamRequest.HTTPVersion]) {
    let run = try await Simulation(profile) { network in
      network.stub("/*", with: .text("a"))
      @Sendable func get(_ path: String) async throws {
        var request = URLRequest(url: url(address + path))
        if closing { request.setValue("close", forHTTPHeaderField: "Connection") }
        _ = try await network.session.data(for: request)
      }
      async let first: Void = get("1")
      async let second: Void = get("2")
      _ = try await (first, second)
      try await get("3")
    }
    let transfers = run.timeline.transfers
    return (transfers.map(\.elapsed), transfers.map(\.reusedConnection), transfers.map(\.version))
  }

  private static func milliseconds(_ times: Int...) -> [Duration] { times.map { .milliseconds($0) } }

  @Test func `parallel HTTP/1 requests each open a TLS connection, and a later request reuses one`() async throws {
    let transfers = try await Self.transfers(Self.profile(.http1))
    #expect(transfers.times == Self.milliseconds(300, 300, 100) && transfers.reused == [false, false, true])
    #expect(transfers.versions == [.http1, .http1, .http1])
  }

  @Test func `parallel HTTP/2 requests share one TLS connection`() async throws {
    let transfers = try await Self.transfers(Self.profile(.http2))
    #expect(transfers.times == Self.milliseconds(300, 300, 100) && transfers.reused == [false, true, true])
    #expect(transfers.versions == [.http2, .http2, .http2])
  }

  @Test func `an HTTP/1 request over TLS with Connection close makes the next one open a connection`() async throws {
    let transfers = try await Self.transfers(Self.profile(.http1), closing: true)
    #expect(transfers.times == Self.milliseconds(300, 300, 300) && transfers.reused == [false, false, false])
  }

  @Test func `a rule makes one host use HTTP/1 while others use HTTP/2`() async throws {
    var profile = Self.profile(.http2)
    var old = Self.profile(.http1)
    old.name = "old"
    profile.rules = [ProfileRule(match: RequestMatch(host: "127.0.0.2"), use: old)]
    #expect(try await Self.transfers(profile, "https://127.0.0.2/").versions == [.http1, .http1, .http1])
    #expect(try await Self.transfers(profile).versions == [.http2, .http2, .http2])
  }

  @Test func `plain HTTP always uses HTTP/1`() async throws {
    #expect(try await Self.transfers(Self.profile(.http2), "http://127.0.0.1/").versions == [.http1, .http1, .http1])
  }
}
