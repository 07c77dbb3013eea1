import LinkSimulator
import Testing

/// A link without a rate: a packet takes exactly the delay.
struct ForgettingTests {
  private static let delay = Duration.milliseconds(20)
  private static let protocols: [(Bool, StreamRequest.HTTPVersion)] = [
    (false, .http1), (true, .http1), (true, .http2), (true, .http3),
  ]

  private static func configuration(_ change: (inout PathConfiguration) -> Void) -> PathConfiguration {
    var configuration = PathConfiguration()
    configuration.keepAlive = .seconds(86_400)
    change(&configuration)
    return configuration
  }

  @Test func `a connection that idles longer than a NAT timeout loses its packets without an error`() throws {
    for kind in Self.protocols {
      for (pause, isForgotten) in [(9_900, false), (10_100, true)] {
        var harness = Harness(
          .symmetric(delay: Self.delay), configuration: Self.configuration { $0.natTimeout = .seconds(10) })
        let first = harness.get(isSecure: kind.0, version: kind.1)
        harness.run(until: .seconds(1))
        let end = try #require(harness.time(of: .responseReceived, first))
        // The client's acknowledgement of the response is the last packet that the middlebox sees.
        harness.run(until: end + Self.delay + .milliseconds(pause))
        let second = harness.get(isSecure: kind.0, version: kind.1)
        harness.run(until: .seconds(60))
        #expect(harness.time(of: .connected(reused: true), second) != nil)
        // A UDP packet passes from another port, and the server does not answer that port.
        let isQuic = kind.1 == .http3
        #expect((harness.time(of: .requestReceived, second) == nil) == (isForgotten && !isQuic))
        let lost = PathEvent.Kind.packetLost(isQuic ? .down : .up, .forgotten)
        #expect((harness.time(of: lost, second) != nil) == isForgotten)
        // Linux gives up after some fifteen minutes of retransmissions (tcp_retries2).
        harness.run(until: .seconds(2_000))
        #expect(harness.failure(of: second) == (isForgotten ? .retransmissionsExhausted : nil))
      }
    }
  }

  @Test func `a middlebox remembers a connection until its timeout and forgets it a nanosecond later`() throws {
    for (excess, isForgotten) in [(Duration.zero, false), (.nanoseconds(1), true)] {
      var harness = Harness(
        .symmetric(delay: Self.delay), configuration: Self.configuration { $0.natTimeout = .seconds(10) })
      let first = harness.get()
      harness.run(until: .seconds(1))
      // The client acknowledges the response at once, and a packet passes the middlebox when it arrives.
      let end = try #require(harness.time(of: .responseReceived, first))
      harness.run(until: end + .seconds(10) + excess)
      let second = harness.get()
      harness.run(until: .seconds(20))
      #expect((harness.time(of: .requestReceived, second) == nil) == isForgotten)
    }
  }

  @Test func `a response later than the NAT timeout never arrives`() throws {
    var harness = Harness(
      .symmetric(delay: Self.delay), configuration: Self.configuration { $0.natTimeout = .seconds(30) })
    let poll = harness.get(answers: false)
    harness.run(until: .seconds(31))
    harness.path.write(500, .down, on: poll, finishing: true)
    harness.run(until: .seconds(100))
    #expect(harness.time(of: .requestReceived, poll) != nil)
    #expect(harness.time(of: .responseReceived, poll) == nil)
    #expect(harness.time(of: .packetLost(.down, .forgotten), poll) != nil)
  }

  @Test func `a forgetting fault breaks one connection, and a new one works`() throws {
    for kind in Self.protocols {
      var harness = Harness(.symmetric(delay: Self.delay))
      harness.get(isSecure: kind.0, version: kind.1, faults: [.idleForget(after: .seconds(2))])
      harness.run(until: .seconds(5))
      let second = harness.get(isSecure: kind.0, version: kind.1)
      harness.run(until: .seconds(20))
      #expect((harness.time(of: .requestReceived, second) == nil) == (kind.1 != .http3))
      #expect(harness.time(of: .responseReceived, second) == nil)
      harness.path.cancel(second)
      harness.run(until: .seconds(100))
      let third = harness.get(isSecure: kind.0, version: kind.1)
      harness.run(until: .seconds(120))
      #expect(harness.time(of: .responseReceived, third) != nil)
    }
  }

  @Test func `a server closes every connection that idles for its keep-alive time`() throws {
    for kind in Self.protocols {
      var harness = Harness(
        .symmetric(delay: Self.delay), configuration: Self.configuration { $0.serverKeepAlive = .seconds(5) })
      let first = harness.get(isSecure: kind.0, version: kind.1)
      harness.run(until: .seconds(1))
      let closes = try #require(harness.time(of: .responseReceived, first)) + .seconds(5)
      harness.run(until: closes - .milliseconds(1))
      let crossing = harness.get(isSecure: kind.0, version: kind.1)
      harness.run(until: closes + .seconds(1))
      #expect(harness.failure(of: crossing) == .truncated)
      let next = harness.get(isSecure: kind.0, version: kind.1)
      harness.run()
      #expect(harness.time(of: .connected(reused: false), next) != nil && harness.failure(of: next) == nil)
    }
  }
}
