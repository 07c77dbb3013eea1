import ExampleClients
import ExampleSearches
import NetworkConditions
import Testing
import URLLoading

struct ClientTests {
  private static let base = URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/")

  @Test func `the second refresh of a feed reads the second page from the cache`() async throws {
    let run = try await Simulation("wifi") { network in
      let first = network.stub(
        "/feed", query: ["after": "1"], with: .json(FeedPage(items: [FeedItem(id: 1, title: "b")], next: nil)))
      let rest = network.stub("/feed", with: .json(FeedPage(items: [FeedItem(id: 0, title: "a")], next: "1")))
      let client = FeedClient(base: Self.base, session: network.session, clock: network.clock)
      let items = try await [client.refresh(), client.refresh()]
      return (items, first.callCount, rest.callCount)
    }
    #expect(run.value.0[0].map(\.title) == ["a", "b"] && run.value.0[0] == run.value.0[1])
    #expect(run.value.1 == 1 && run.value.2 == 2)
  }

  @Test func `a feed whose second page never arrives times out after a minute`() async throws {
    let run = try await Simulation("wifi") { network in
      network.stub("/feed", query: ["after": "1"], with: .never)
      let page = FeedPage(items: [FeedItem(id: 0, title: "a")], next: "1")
      network.stub("/feed", with: .sequence([.status(503), .json(page)]))
      let client = FeedClient(base: Self.base, session: network.session, clock: network.clock)
      let error = await #expect(throws: URLError.self) { try await client.refresh() }
      return error?.code
    }
    #expect(run.value == .timedOut)
    #expect(run.elapsed == .seconds(60))
  }

  @Test func `a downloader refuses a file that comes without a checksum`() async throws {
    _ = try await Simulation("wifi") { network in
      network.stub("/file", with: .text("hello"))
      let downloader = Downloader(configuration: network.sessionConfiguration, clock: network.clock)
      await #expect(throws: DownloadError.undescribed) {
        try await downloader.download(Self.base.appendingPathComponent("file"))
      }
    }
  }

  @Test func `the checksum matches the published check value of CRC-32`() {
    // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
    #expect(Checksum.of(Data("123456789".utf8)) == "cbf43926")
    #expect(Checksum.of(Data()) == "00000000")
  }
}
