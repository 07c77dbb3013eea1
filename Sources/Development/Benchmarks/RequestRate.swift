import NetworkConditions
import URLLoading

/// A minimal stub that responds at once, within `startLoading`.
final class BareProtocol: URLProtocol {
  static let body = Data("hello, world".utf8)

  override class func canInit(with request: URLRequest) -> Bool {
    request.url?.scheme == "http"
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest {
    request
  }

  override func startLoading() {
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: ["Content-Length": "12", "Content-Type": "text/plain; charset=utf-8"])
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Self.body)
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// Requests per second under an unlimited profile, compared with the bare class.
enum RequestRate {
  static let url = URL(string: "http://stub.example/hello") ?? URL(fileURLWithPath: "/")

  static func run() async throws {
    let network = SimulatedNetwork("unlimited")
    network.stub("http://stub.example/hello", with: .text("hello, world"))
    // The same configuration on both sides: without a cache, which a custom protocol never fills, and with one.
    let uncached = URLSessionConfiguration.ephemeral
    uncached.urlCache = nil
    uncached.protocolClasses = [BareProtocol.self]
    try await compare(
      "both without a cache", URLSession(configuration: uncached),
      URLSession(configuration: network.sessionConfiguration), goal: "0.9")
    let plain = URLSessionConfiguration.ephemeral
    plain.protocolClasses = [BareProtocol.self]
    let cached = URLSessionConfiguration.ephemeral
    network.simulate(in: cached)
    try await compare(
      "both with a cache", URLSession(configuration: plain), URLSession(configuration: cached), goal: "0.9")
    // As users write it: an ephemeral configuration with the bare class, against the configuration we hand out.
    try await compare(
      "as handed out", URLSession(configuration: plain), URLSession(configuration: network.sessionConfiguration),
      goal: "none: unlike configurations")
  }

  /// Makes only requests, for profiling tools: `child requests bare 20000 together`.
  static func alone(_ arguments: [String]) async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [BareProtocol.self]
    let network = SimulatedNetwork("unlimited")
    network.stub("http://stub.example/hello", with: .text("hello, world"))
    // The session is made in both cases, since an unused network prints a warning.
    let ours = network.session
    let session = arguments.first == "bare" ? URLSession(configuration: configuration) : ours
    let count = arguments.number(1, usual: 20_000)
    let rate = try await arguments.last == "together" ? concurrent(session, count) : sequential(session, count)
    print("\(rate.fixed(0))/s")
  }

  private static func compare(_ what: String, _ bare: URLSession, _ ours: URLSession, goal: String) async throws {
    var alone: [Double] = []
    var together: [Double] = []
    var rates: [Double] = []
    _ = try await sequential(bare, 500) + sequential(ours, 500)
    for _ in 0..<7 {
      let (one, other) = (try await sequential(bare, 4000), try await sequential(ours, 4000))
      alone.append(other / one)
      rates.append(other)
      together.append(1 / (try await concurrent(bare, 6400)) * (try await concurrent(ours, 6400)))
    }
    report("\(what), sequential", "\(alone.median.fixed(2)) of the bare class, \(rates.median.fixed(0))/s", goal: goal)
    report("\(what), 64 at once", "\(together.median.fixed(2)) of the bare class", goal: goal)
  }

  private static func sequential(_ session: URLSession, _ count: Int) async throws -> Double {
    try await Double(count)
      / timed { for _ in 0..<count { _ = try await session.data(for: URLRequest(url: url), delegate: nil) } }.seconds
  }

  private static func concurrent(_ session: URLSession, _ count: Int) async throws -> Double {
    let start = seconds()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask {
          for _ in 0..<count / 64 { _ = try await session.data(for: URLRequest(url: url), delegate: nil) }
        }
      }
      try await group.waitForAll()
    }
    return Double(count) / (seconds() - start)
  }
}
