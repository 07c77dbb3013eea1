import NetworkConditions
import Testing
import URLLoading

/// Calls of a network itself, without a session.
struct NetworkCallTests {
  private let network = SimulatedNetwork("3G", seed: 1, pace: .immediate)
  private let feed = url("https://api.example.com/feed")

  @Test func `the chunks of a body arrive in order, each after the one before`() async throws {
    network.stub(feed, with: .bytes(count: 100_000))
    let (chunks, response) = try await network.chunks(for: URLRequest(url: feed))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    let head = network.now
    var pieces: [Data] = []
    for try await chunk in chunks { pieces.append(chunk) }
    #expect(pieces.count > 2 && Data(pieces.joined()) == GeneratedBody.bytes(in: 0..<100_000))
    #expect(network.now > head)
  }

  @Test func `a stub for a URL answers only that URL, and a redirect leads there`() async throws {
    network.stub(feed, with: .text("new"))
    network.stub("/old", with: .redirect(to: feed, status: 307))
    let (data, response) = try await network.data(from: url("https://api.example.com/old"))
    #expect(data == Data("new".utf8) && response.url == feed)
    await #expect(throws: URLError.self) { try await network.data(from: url("https://api.example.com/feed/2")) }
  }

  @Test func `a stub for a value's JSON matches that JSON in any order of its keys`() async throws {
    struct Order: Encodable { var item = "tea", count = 2 }
    network.stub(.post, "/orders", body: .json(Order()), with: .status(201))
    var request = URLRequest(url: url("https://api.example.com/orders"))
    request.httpMethod = "POST"
    let (_, made) = try await network.upload(for: request, from: Data(#"{"count": 2, "item": "tea"}"#.utf8))
    #expect((made as? HTTPURLResponse)?.statusCode == 201)
    await #expect(throws: URLError.self) { try await network.upload(for: request, from: Data("{}".utf8)) }
  }

  @Test func `packets are recorded only while recordsPackets is true`() async throws {
    network.stub("/feed", with: .text("x"))
    #expect(!network.recordsPackets)
    _ = try await network.data(from: feed)
    network.recordsPackets = true
    #expect(network.recordsPackets)
    _ = try await network.data(from: url("https://other.example.com/feed"))
    let timeline = network.timeline
    #expect(timeline.transfers.map { timeline.packets(of: $0).isEmpty } == [true, false])
  }

  @Test func `recorded contents have each message's size, the client's timeout and how the client reads the body`()
    async throws
  {
    network.stub("/feed", with: .text("hello"))
    network.recordsContents = true
    var request = URLRequest(url: feed, timeoutInterval: 7)
    _ = try await network.data(for: request)
    for try await _ in try await network.bytes(for: request).0 {}
    request.httpMethod = "POST"
    _ = try await network.upload(for: request, from: Data(count: 10))
    let all = network.timeline.details.contents.sorted { $0.key < $1.key }.map(\.value)
    #expect(all.map(\.isTakenWhole) == [true, false, true] && all.map(\.requestBodyBytes) == [0, 0, 10])
    #expect(all.allSatisfy { $0.idleTimeout == .seconds(7) && $0.bodyBytes == 5 && $0.body == Data("hello".utf8) })
    #expect(all.allSatisfy { $0.requestHeadBytes > 0 && $0.headBytes ?? 0 > 0 && !$0.endsWithConnection })
  }

  @Test func `the recorded contents of a body in several pieces end at 256 KiB`() async throws {
    let pieces = [100_000, 200_000, 50_000].map { (Duration.zero, Data(count: $0)) }
    network.stub("/feed", with: .stream(pieces))
    network.recordsContents = true
    #expect(try await network.data(from: feed).0.count == 350_000)
    #expect(network.timeline.details.contents.values.map(\.body.count) == [256 << 10])
  }

  @Test func `a body that is dropped before its end cancels its request`() async throws {
    network.stub("/feed", with: .bytes(count: 1_000_000))
    _ = try await network.bytes(from: feed)
    #expect(network.timeline.transfers.map(\.outcome) == [.cancelled])
  }
}
