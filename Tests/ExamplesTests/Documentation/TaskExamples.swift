import Foundation
import LoopbackServer
import NetworkConditions
import Pictures
import Testing
import TimelineReports
import URLLoading

// The examples of the pages by task, word for word, so that they compile, do what they say, and make the pictures there.

struct TaskExamples {
  @Test func `a feed loads again when the network is back online`() async throws {
    let network = SimulatedNetwork("cafe wifi", seed: 1, pace: .immediate)
    network.stub("https://api.example.com/feed", with: .json(#"{"items": []}"#))
    let feed = URLRequest(url: URL(string: "https://api.example.com/feed")!)

    network.goOffline()
    await #expect(throws: URLError.self) { try await network.session.data(for: feed) }
    network.goOnline()
    try network.use("EDGE")
    #expect(try await network.session.data(for: feed).0.count == 13)
    #expect(try Self.isCurrent("offline.svg", network))
  }

  @Test func `a session over a custom configuration sends the configuration's headers`() async throws {
    let network = SimulatedNetwork("3G", seed: 42, pace: .immediate)
    let feed = network.stub("https://api.example.com/feed", with: .json(#"{"items": []}"#))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-App": "1.0"]
    network.simulate(in: configuration)
    let session = URLSession(configuration: configuration)

    _ = try await session.data(from: URL(string: "https://api.example.com/feed")!)
    #expect(feed.requests.first?.headers["X-App"] == "1.0")
    #expect(try Self.isCurrent("own-session.svg", network))
  }

  @Test func `an upload reports its progress in pieces`() async throws {
    let network = SimulatedNetwork("3G", seed: 42, pace: .immediate)
    network.stub("/photos", with: .status(201))
    var request = URLRequest(url: URL(string: "https://api.example.com/photos")!)
    request.httpMethod = "POST"
    _ = try await network.session.upload(for: request, from: Data(count: 100_000))

    let sent = network.timeline.events.compactMap { event in
      if case .uploaded(let bytes, of: _) = event.kind { bytes } else { nil }
    }
    #expect(sent.count > 2 && sent == sent.sorted() && sent.last == 100_000)
    #expect(try Self.isCurrent("upload.svg", network))
  }

  @Test func `a real server answers requests that no stub matches`() async throws {
    let loopback = try LoopbackServer()
    defer { loopback.stop() }
    let server = loopback.url("/bytes/400000")
    let network = SimulatedNetwork("cafe wifi", seed: 1, pace: .immediate, transport: URLSessionTransport())
    network.stub("/ads/*", with: .status(204))
    let (data, _) = try await network.session.data(from: server)
    #expect(data.count == 400_000)
    // A real server's bytes arrive in different pieces each time, so the page's picture shows one run.
    #expect(TimelinePicture(network.timeline).text.contains(">1 transfer under cafe wifi</text>"))
    network.invalidate()
  }

  @Test func `a feed loads over HTTP/2 after UDP is blocked`() async throws {
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
    #expect(run.timeline.transfers[1].elapsed > .seconds(29))
    #expect(try Picture.isCurrent("no-udp.svg", of: "NetworkConditions", TimelinePicture(run.timeline).text))
  }

  @Test func `a download under the documented profile takes over 17 s, as in its picture`() async throws {
    let page = Picture.root.appendingPathComponent(
      "Sources/NetworkConditions/NetworkConditions.docc/WritingAProfile.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let json = try #require(
      text.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
    let profile = try NetworkProfile(json: Data(json.utf8)).starting(at: "2 s before portal")
    let run = try await Simulation(profile, seed: 42) { network in
      network.stub("/film", with: .bytes(count: 4_000_000))
      _ = try await network.data(for: URLRequest(url: URL(string: "https://api.example.com/film")!))
      #expect(try Self.isCurrent("train.svg", network))
    }
    #expect(run.elapsed > .seconds(17))
  }

  private static func isCurrent(_ name: String, _ network: SimulatedNetwork) throws -> Bool {
    try Picture.isCurrent(name, of: "NetworkConditions", TimelinePicture(network.timeline).text)
  }
}
