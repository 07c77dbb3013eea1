import LoopbackServer
import NetworkConditions
import Testing
import URLLoading

// The examples of the pages by task, word for word, so that they compile and do what they say.

@Suite struct TaskExamples {
  @Test func `the feed comes when the network is back`() async throws {
    let network = SimulatedNetwork("cafe wifi", seed: 1, pace: .immediate)
    network.stub("https://api.example.com/feed", with: .json(#"{"items": []}"#))
    let feed = URLRequest(url: URL(string: "https://api.example.com/feed")!)

    network.goOffline()
    await #expect(throws: URLError.self) { try await network.session.data(for: feed) }
    network.goOnline()
    try network.use("EDGE")
    #expect(try await network.session.data(for: feed).0.count == 13)
  }

  @Test func `a configuration of one's own keeps its settings`() async throws {
    let network = SimulatedNetwork("3G", seed: 42, pace: .immediate)
    let feed = network.stub("https://api.example.com/feed", with: .json(#"{"items": []}"#))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-App": "1.0"]
    network.simulate(in: configuration)
    let session = URLSession(configuration: configuration)

    _ = try await session.data(from: URL(string: "https://api.example.com/feed")!)
    #expect(feed.requests.first?.headers["X-App"] == "1.0")
  }

  @Test func `an upload comes in pieces`() async throws {
    let network = SimulatedNetwork("3G", seed: 42, pace: .immediate)
    network.stub("/photos", with: .status(201))
    var request = URLRequest(url: URL(string: "https://api.example.com/photos")!)
    request.httpMethod = "POST"
    _ = try await network.session.upload(for: request, from: Data(count: 100_000))

    let sent = network.timeline.events.compactMap { event in
      if case .uploaded(let bytes, of: _) = event.kind { bytes } else { nil }
    }
    #expect(sent.count > 2 && sent == sent.sorted() && sent.last == 100_000)
  }

  @Test func `a real server answers where no stub does`() async throws {
    let loopback = try LoopbackServer()
    defer { loopback.stop() }
    let server = loopback.url("/bytes/10")
    let network = SimulatedNetwork("cafe wifi", seed: 1, pace: .immediate, transport: URLSessionTransport())
    network.stub("/ads/*", with: .status(204))
    let (data, _) = try await network.session.data(from: server)
    #expect(data.count == 10)
    network.invalidate()
  }

  @Test func `the feed comes where UDP stops passing`() async throws {
    let profile = try NetworkProfile(
      json: Data(
        """
        { "name": "guest wifi", "down": { "rate": "20 Mbit/s", "delay": "20 ms" }, "up": { "rate": "5 Mbit/s", "delay": "20 ms" },
          "http": { "version": "3" },
          "phases": [ { "name": "open", "for": "10 s" }, { "name": "no UDP", "udp": "blocked" } ] }
        """.utf8))
    let run = try await Simulation(profile, seed: 1) { network in
      network.stub("/feed", with: .json(#"{"items": []}"#))
      let feed = URL(string: "https://api.example.com/feed")!
      _ = try await network.session.data(from: feed)
      try await network.clock.sleep(for: .seconds(12))
      // The connection of QUIC is dead, and nobody has said so.
      _ = try await network.session.data(from: feed)
    }
    #expect(run.timeline.transfers.map(\.version.rawValue) == ["3", "3", "2"])
    #expect(run.timeline.transfers[1].elapsed > .seconds(15))
  }
}
