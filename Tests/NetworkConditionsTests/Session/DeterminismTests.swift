import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

/// One seed and one profile give one sequence of events.
struct DeterminismTests {
  /// Runs the same requests one after another, and returns the timeline.
  private func run(seed: UInt64, profile: String = "very bad network") async throws -> Timeline {
    let network = SimulatedNetwork(profile, seed: seed, pace: .immediate)
    network.stub("/file", with: .bytes(count: 60_000))
    network.stub(.post, "/upload", with: .status(201))
    defer { network.invalidate() }
    for round in 0..<3 {
      _ = try? await network.data(for: URLRequest(url: url("http://one.example/file")))
      var post = URLRequest(url: url("http://two.example/upload"))
      post.httpMethod = "POST"
      _ = try? await network.upload(for: post, from: GeneratedBody.bytes(in: 0..<Int64(20_000 + round)))
    }
    return network.timeline
  }

  @Test func `the same seed and profile give the same timeline in each run`() async throws {
    for profile in ["very bad network", "flaky", "3G"] {
      let first = try await run(seed: 42, profile: profile)
      let second = try await run(seed: 42, profile: profile)
      #expect(first == second)
      #expect(!first.events.isEmpty)
    }
  }

  @Test func `another seed gives another timeline`() async throws {
    let (first, second) = (try await run(seed: 1), try await run(seed: 2))
    #expect(first.events != second.events)
  }

  @Test func `other requests do not change which packets of a request are lost`() async throws {
    func losses(_ order: [String]) async throws -> [PacketName] {
      let link = LinkConditions(delay: .milliseconds(40), loss: .independent(.percent(5)))
      // Without a rate limit no request delays another, so only random draws can differ.
      let profile = NetworkProfile(name: "chance", down: link, up: link)
      let network = SimulatedNetwork(profile, seed: 9, pace: .immediate)
      network.recordFaults()
      network.stub("/file", with: .bytes(count: 200_000))
      defer { network.invalidate() }
      for host in order {
        _ = try await network.data(for: URLRequest(url: url("http://\(host).example/file")))
      }
      // The number of acknowledgements may depend on when a request begins; the fate of each packet must not.
      return (network.faultSchedule?.faults ?? []).compactMap { fault in
        guard case .packet(let packet, .lost) = fault.kind, packet.origin == "wanted.example:80" else { return nil }
        return packet
      }
    }
    let alone = try await losses(["wanted"])
    #expect(try await losses(["a", "b", "wanted", "c"]) == alone)
    #expect(try await losses(["c", "wanted", "b", "a"]) == alone)
    #expect(alone.count > 5)
  }
}
