import LinkSimulator
import Testing

/// The choice of a connection for a request.
struct ConnectionChoiceTests {
  private static let delay = Duration.milliseconds(20)

  private static func harness(_ change: (inout PathConfiguration) -> Void = { _ in }) -> Harness {
    var configuration = PathConfiguration()
    change(&configuration)
    return Harness(.symmetric(delay: delay), configuration: configuration)
  }

  @Test(arguments: [(Duration.nanoseconds(-1), true), (.zero, false)])
  func `an idle connection is reused until just before its keep-alive ends`(offset: Duration, isReused: Bool) throws {
    var harness = Self.harness { $0.keepAlive = .seconds(10) }
    let first = harness.get()
    harness.run(until: .seconds(1))
    let idle = try #require(harness.time(of: .responseReceived, first))
    harness.run(until: idle + .seconds(10) + offset)
    let next = harness.get()
    harness.run(until: .seconds(60))
    #expect((harness.time(of: .connected(reused: true), next) != nil) == isReused)
    #expect(harness.failure(of: next) == nil)
  }

  @Test func `a new request uses the idle connection that was used last`() {
    var harness = Self.harness()
    harness.get()
    let long = harness.get(500_000)
    harness.run(until: .seconds(10))
    let next = harness.get()
    harness.run(until: .seconds(20))
    #expect(harness.path.statistics(of: long).connection == 1)
    #expect(harness.path.statistics(of: next).connection == 1)
  }

  @Test func `a request waits for a free stream when its shared connection is full`() throws {
    var harness = Self.harness { $0.streamsPerConnection = 2 }
    harness.get(isSecure: true, version: .http2)
    harness.run(until: .seconds(1))
    let running = (1...2).map { harness.get(1_000_000, key: UInt64($0), isSecure: true, version: .http2) }
    let third = harness.get(key: 3, isSecure: true, version: .http2)
    harness.run()
    let ends = running.compactMap { harness.time(of: .responseReceived, $0) }
    let begins = try #require(harness.time(of: .connected(reused: true), third))
    #expect(begins == ends.min() && begins > .seconds(1))
  }

  @Test(arguments: [StreamRequest.HTTPVersion.http1, .http2, .http3], [0, .max])
  func `requests complete under any limit of connections and streams, even zero`(
    _ version: StreamRequest.HTTPVersion, _ limit: Int
  ) {
    var harness = Self.harness { ($0.connectionsPerHost, $0.streamsPerConnection) = (limit, limit) }
    let first = harness.get(isSecure: true, version: version)
    harness.run(until: .seconds(5))
    let second = harness.get(key: 2, isSecure: true, version: version)
    harness.run(until: .seconds(10))
    #expect(harness.time(of: .responseReceived, first) != nil && harness.time(of: .responseReceived, second) != nil)
  }

  @Test func `a name whose lookup failed is looked up again`() {
    var harness = Self.harness()
    let first = harness.get(needsResolution: true, faults: [.resolutionFailure])
    harness.run(until: .seconds(5))
    let second = harness.get(key: 2, needsResolution: true)
    harness.run(until: .seconds(10))
    #expect(harness.failure(of: first) == .resolutionFailed)
    #expect(harness.time(of: .resolved(cached: true), second) == nil)
    #expect(harness.time(of: .resolved(cached: false), second) != nil)
  }
}
