import Internals
import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// The `Priority` field of requests (RFC 9218): `"http": { "scheduling": "fair" }`.
struct PriorityTests {
  /// Requests a file of low priority, and then one of high priority; returns the paths in the order of the ends.
  private static func ends(_ scheduling: PathConfiguration.Scheduling) async throws -> [String] {
    var profile = NetworkProfile(name: "slow", down: LinkConditions(rate: .kilobitsPerSecond(800)))
    (profile.configuration.secureVersion, profile.configuration.scheduling) = (.http2, scheduling)
    let ends = Locked<[String]>([])
    _ = try await Simulation(profile, seed: 1) { network in
      network.stub("/*", with: .bytes(count: 100_000))
      @Sendable func get(_ path: String, _ priority: String) async throws {
        var request = URLRequest(url: url("https://127.0.0.1\(path)"))
        request.setValue(priority, forHTTPHeaderField: "Priority")
        _ = try await network.session.data(for: request)
        ends.withLock { $0.append(path) }
      }
      async let low: Void = get("/low", "u=7")
      async let high: Void = get("/high", "u=0")
      _ = try await (low, high)
    }
    return ends.value
  }

  @Test func `a server with fair scheduling sends the response of the highest priority first`() async throws {
    #expect(try await Self.ends(.fair) == ["/high", "/low"])
    #expect(try await Self.ends(.buffered) == ["/low", "/high"])
  }
}
