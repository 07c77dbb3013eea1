import LoopbackServer
import NetworkConditions
import Pictures
import Testing
import TimelineReports
import TrafficRecording
import URLLoading

/// The examples of the documentation compile and behave as documented.
@Suite(.timeLimit(.minutes(10)))
struct ExampleTests {
  private static let archive = Samples.archive([("GET https://api.example.com/feed", "thirteen byte")])

  @Test func `a recorded response is replayed under a profile in virtual time`() async throws {
    let scratch = try Scratch()
    let file = scratch.file("feed.har")
    try Self.archive.write(to: file)
    let recorded = try RecordedTransport(contentsOf: file)
    let run = try await Simulation("tunnel", seed: 42, transport: recorded.rewound()) { network in
      try await network.session.data(from: URL(string: "https://api.example.com/feed")!).0.count
    }
    #expect(run.value == 13)
  }

  @Test func `replaying a recorded page over 3G gives the documented picture`() async throws {
    let photo = String(repeating: "photo", count: 8_000)
    let paths = ["feed", "photo/1", "photo/2", "photo/3"]
    let archive = Samples.archive(
      paths.map { ("GET https://api.example.com/\($0)", $0 == "feed" ? "thirteen byte" : photo) })
    let recorded = try RecordedTransport(archive)
    let run = try await Simulation("3G", seed: 42, transport: recorded) { network in
      _ = try await network.data(for: URLRequest(url: URL(string: "https://api.example.com/feed")!))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for path in paths.dropFirst() {
          let request = URLRequest(url: URL(string: "https://api.example.com/\(path)")!)
          group.addTask { _ = try await network.data(for: request) }
          try await network.clock.sleep(for: .milliseconds(10))
        }
        try await group.waitForAll()
      }
    }
    #expect(try Picture.isCurrent("recorded.svg", of: "TrafficRecording", TimelinePicture(run.timeline).text))
  }

  /// Only compiled, because a run would use a real network.
  func realTime(_ file: URL) async throws -> Data {
    let network = SimulatedNetwork("3G", seed: 1, transport: try RecordedTransport(contentsOf: file))
    let (data, _) = try await network.session.data(from: URL(string: "https://api.example.com/feed")!)
    return data
  }

  @Test func `a recording with changed request matching opens without notes`() throws {
    let archive = Self.archive
    let matching = RequestMatching.standard.ignoringQueryItems("ts", "nonce").ignoringOrigin().matchingBody()
    let local = try RecordedTransport(archive, matching: matching, then: .fail, serverTime: .recorded)
    for note in local.notes { print(note) }
    #expect(local.notes.isEmpty)
  }

  @Test func `a request to a real server is recorded in an archive`() async throws {
    let scratch = try Scratch()
    let file = scratch.file("real.har")
    let loopback = try LoopbackServer()
    let server = loopback.url("/bytes/10")
    let recording = try RecordingTransport(URLSessionTransport(), to: file)
    let network = SimulatedNetwork("unlimited", transport: recording)
    _ = try await network.session.data(from: server)
    try recording.finish()
    #expect(try HTTPArchive(contentsOf: file).entries.count == 1)
    network.invalidate()
    loopback.stop()
  }

  @Test func `a timeline can be written as an archive with one entry per request`() async throws {
    let scratch = try Scratch()
    let file = scratch.file("simulated.har")
    let network = SimulatedNetwork("3G", seed: 1, pace: .immediate, transport: try RecordedTransport(Self.archive))
    _ = try await network.session.data(from: URL(string: "https://api.example.com/feed")!)
    let archive = HTTPArchive(network.timeline)
    try archive.write(to: file)
    #expect(try HTTPArchive(contentsOf: file).entries.count == 1)
    network.invalidate()
  }
}
