import NetworkConditions
import Testing

@testable import TrafficRecording
import URLLoading

struct TimelineArchiveTests {
  private func run(_ profile: String = "3G") async throws -> Simulation<Int> {
    try await Simulation(profile, seed: 3) { network in
      network.stub("/feed", with: .bytes(count: 40_000).after(.milliseconds(120)))
      network.stub("/lost", with: .error(.networkConnectionLost))
      _ = try await network.ask("GET", "https://u:secret@x.example/feed?a=b")
      _ = try? await network.ask("GET", "https://x.example/lost")
      return try await network.ask("POST", "https://x.example/feed", body: Data(count: 2_000)).status
    }
  }

  @Test func `the archive of a timeline is valid and has the network's virtual times`() async throws {
    let timeline = try await run().timeline
    let archive = HTTPArchive(timeline)
    #expect(try ArchiveValidator.problems(archive.json) == [])
    #expect(archive.entries.count == 3)
    for (entry, transfer) in zip(archive.entries, timeline.transfers) {
      #expect(entry.time == transfer.elapsed && entry.request.method == transfer.method)
      #expect(entry.response.content.size == transfer.bytesReceived && entry.request.bodyBytes == transfer.bytesSent)
    }
    let first = archive.entries[0]
    #expect(first.timings.dns != nil && first.timings.tls != nil && first.timings.wait > .milliseconds(120))
    #expect(first.started == HTTPArchive.epoch && first.request.url == "https://u:redacted@x.example/feed?a=b")
    #expect(archive.entries[1].response.error == "networkConnectionLost" && archive.entries[1].response.status == 0)
    #expect(archive.entries[2].timings.connect == nil && archive.entries[2].timings.dns == nil)
    #expect(try #require(archive.entries[2].started) > HTTPArchive.epoch)
  }

  @Test func `equal runs give identical archives`() async throws {
    let (first, second) = (try await run("tunnel"), try await run("tunnel"))
    #expect(HTTPArchive(first.timeline).json == HTTPArchive(second.timeline).json)
    #expect(HTTPArchive(first.timeline, startingAt: .distantPast).entries[0].started == .distantPast)
  }

  @Test func `the archive of a transfer without a connection is valid`() async throws {
    let network = SimulatedNetwork("offline", pace: .immediate)
    await #expect(throws: URLError.self) { try await network.ask("GET", "https://x.example/") }
    #expect(try ArchiveValidator.problems(HTTPArchive(network.timeline).json) == [])
    network.invalidate()
  }

  @Test func `the archive of a redirect names its target without the password`() async throws {
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    defer { network.invalidate() }
    network.stub("/from", with: .redirect(to: "http://me:hidden@y.example/to"))
    network.stub("http://y.example/to", with: .redirect(to: "ftp://me:hidden@y.example/"))
    await #expect(throws: URLError.self) { try await network.ask("GET", "http://x.example/from") }
    network.stub("/there", with: .text("there"))
    _ = try await network.ask("GET", "http://x.example/there")
    let targets = HTTPArchive(network.timeline).entries.map(\.response.redirectURL)
    #expect(targets == ["http://me:redacted@y.example/to", "ftp://me:redacted@y.example/", ""])
  }
}
