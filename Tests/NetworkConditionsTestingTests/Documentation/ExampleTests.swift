import NetworkConditions
import NetworkConditionsTesting
import Testing
import URLLoading

// The examples of the documentation, word for word, so that they compile and do what they say.

private struct FeedClient: Sendable {
  var session: URLSession
  var clock: any Clock<Duration>

  /// Tries again until it has the feed.
  func feed() async throws -> Data {
    let request = URLRequest(url: URL(string: "https://api.example.com/feed")!, timeoutInterval: 10)
    while true {
      do {
        let (data, response) = try await session.data(for: request)
        if (response as? HTTPURLResponse)?.statusCode == 200 { return data }
      } catch is URLError {}
      try await clock.sleep(for: .seconds(1))
    }
  }
}

@Test(.network("tunnel", seeds: 0..<200)) func `the feed survives a tunnel`() async throws {
  NetworkUnderTest.network.stub("/feed", with: .bytes(count: 20_000))
  let client = FeedClient(session: NetworkUnderTest.session, clock: NetworkUnderTest.clock)
  #expect(try await client.feed().count == 20_000)
}

@Suite(.network("3G", seed: 42)) struct FeedTests {
  @Test func `the feed is shown`() async throws {
    NetworkUnderTest.network.stub("/feed", with: .json(#"{"items": []}"#))
    let client = FeedClient(session: NetworkUnderTest.session, clock: NetworkUnderTest.clock)
    #expect(try await client.feed().count == 13)
  }

  @Test(.network("EDGE", seed: 42)) func `the feed loads completely over EDGE`() async throws {
    NetworkUnderTest.network.stub("/feed", with: .json(#"{"items": []}"#))
    let client = FeedClient(session: NetworkUnderTest.session, clock: NetworkUnderTest.clock)
    #expect(try await client.feed().count == 13)
  }
}

extension FaultSchedule {
  static let outage = FaultSchedule(.unlimited, faults: [.outage(from: .zero, for: .seconds(4))])
}

@Test(.network(replaying: FaultSchedule.outage)) func `the feed survives an outage`() async throws {
  NetworkUnderTest.network.stub("/feed", with: .bytes(count: 20_000))
  let client = FeedClient(session: NetworkUnderTest.session, clock: NetworkUnderTest.clock)
  #expect(try await client.feed().count == 20_000)
}

private struct ShopClient: Sendable {
  var session: URLSession
  var clock: any Clock<Duration>

  /// Pays, and does not retry if the outcome is unknown.
  func pay() async throws {
    var request = URLRequest(url: URL(string: "https://shop.example.com/pay")!, timeoutInterval: 10)
    request.httpMethod = "POST"
    _ = try await session.data(for: request)
  }
}

@Test(.network("3G", everyFault: 1)) func `a payment is made once`() async throws {
  let payments = NetworkUnderTest.network.stub(.post, "/pay", with: .json(#"{"paid": true}"#))
  let client = ShopClient(session: NetworkUnderTest.session, clock: NetworkUnderTest.clock)
  try? await client.pay()
  #expect(payments.requests.count <= 1)
}

private struct StoredCheckout: Sendable {
  var session: URLSession
  var folder: URL

  /// Stores a key first and pays under it: the server recognises a repeated payment by its key.
  func pay() async throws {
    let file = folder.appendingPathComponent("key")
    let key = (try? String(contentsOf: file, encoding: .utf8)) ?? UUID().uuidString
    try Data(key.utf8).write(to: file, options: .atomic)
    var request = URLRequest(url: URL(string: "https://shop.example.com/pay")!, timeoutInterval: 10)
    request.httpMethod = "POST"
    request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
    _ = try await session.data(for: request)
  }
}

@Test(.enabled(if: CaptureMode.obstacle == nil), .network("3G", everyFault: 1, of: [.kill]))
func `an order is paid once, whatever ends the app`() async throws {
  let network = NetworkUnderTest.network
  let payments = network.stub(.post, "/pay", with: .status(201))
  try await network.launch { app in
    let checkout = StoredCheckout(session: network.session, folder: app.folder)
    try await checkout.pay()
  }
  let keys = payments.requests.map { $0.headers["Idempotency-Key"] }
  #expect(Set(keys).count == 1)
}

#if os(Linux) && compiler(>=6.3)
  @Test(.network("flaky", seeds: 0..<200, workers: .processes()))
  func `the feed survives a flaky network`() async throws {
    NetworkUnderTest.network.stub("/feed", with: .bytes(count: 20_000))
    let client = FeedClient(session: NetworkUnderTest.session, clock: NetworkUnderTest.clock)
    #expect(try await client.feed().count == 20_000)
  }
#endif
