import LinkSimulator
import Testing

/// A server that takes an HTTP/2 connection out of service while requests are on it.
struct GoAwayTests {
  private static let delay = Duration.milliseconds(20)

  @Test func `a GOAWAY fails its request and later ones, and earlier requests complete`() throws {
    var harness = Harness(.symmetric(delay: Self.delay))
    let before = harness.get(isSecure: true, version: .http2, answers: false)
    harness.run(until: .seconds(1))
    harness.path.advance(to: .zero.advanced(by: .seconds(1)))
    let refused = harness.get(isSecure: true, version: .http2, faults: [.goAway])
    let after = harness.get(key: 2, isSecure: true, version: .http2)
    harness.run(until: .seconds(2))
    for stream in [refused, after] {
      #expect(harness.time(of: .connected(reused: true), stream) != nil)
      #expect(harness.time(of: .requestReceived, stream) == nil)
      #expect(harness.time(of: .failed(.notServed), stream) == .seconds(1) + Self.delay * 2)
    }
    // Only the served request still uses the old connection.
    let next = harness.get(isSecure: true, version: .http2)
    harness.run(until: .seconds(3))
    #expect(harness.time(of: .connected(reused: false), next) != nil)
    #expect(harness.time(of: .responseReceived, next) != nil)
    harness.path.write(500, .down, on: before, finishing: true)
    harness.run(until: .seconds(4))
    #expect(harness.time(of: .responseReceived, before) != nil && harness.failure(of: before) == nil)
    let last = harness.get(isSecure: true, version: .http2)
    harness.run()
    #expect(harness.path.statistics(of: last).connection == harness.path.statistics(of: next).connection)
  }

  @Test func `a request that waits for an HTTP/3 stream opens a connection at once when the server goes away`() {
    var configuration = PathConfiguration()
    configuration.streamsPerConnection = 1
    var harness = Harness(.symmetric(delay: Self.delay), configuration: configuration)
    harness.get(isSecure: true, version: .http3)
    harness.run(until: .seconds(1))
    let refused = harness.get(isSecure: true, version: .http3, faults: [.goAway])
    let waiting = harness.get(key: 2, isSecure: true, version: .http3)
    // The client cancels the refused request before it reads the GOAWAY, so the GOAWAY fails no request.
    harness.run(until: .seconds(1) + Self.delay + .milliseconds(5))
    harness.path.cancel(refused)
    harness.run(until: .seconds(2))
    // One round trip until the GOAWAY arrives, and one for the handshake.
    #expect(harness.time(of: .connected(reused: false), waiting) == .seconds(1) + Self.delay * 4)
  }

  @Test func `a GOAWAY fault does not affect an HTTP/1 request`() {
    for isSecure in [false, true] {
      var harness = Harness(.symmetric(delay: Self.delay))
      let stream = harness.get(isSecure: isSecure, version: .http1, faults: [.goAway])
      harness.run()
      #expect(harness.time(of: .responseReceived, stream) != nil)
    }
  }
}
