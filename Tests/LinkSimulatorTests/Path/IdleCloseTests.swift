import LinkSimulator
import Testing

/// A link without a rate: a packet takes exactly the delay.
struct IdleCloseTests {
  private static let delay = Duration.milliseconds(20)
  private static let protocols: [(Bool, StreamRequest.HTTPVersion)] = [
    (false, .http1), (true, .http1), (true, .http2), (true, .http3),
  ]

  /// A path after one response, whose server closes the connection after two idle seconds, and the time of the close.
  private func answered(
    _ kind: (Bool, StreamRequest.HTTPVersion), outage: ClosedRange<Duration>? = nil
  ) throws -> (harness: Harness, closes: Duration) {
    let conditions = PathConditions.symmetric(delay: Self.delay)
    var harness = Harness(conditions)
    let stream = harness.get(isSecure: kind.0, version: kind.1, faults: [.idleClose(after: .seconds(2))])
    harness.run(until: .seconds(1))
    return (harness, try #require(harness.time(of: .responseReceived, stream)) + .seconds(2))
  }

  @Test func `a request after the client has seen an idle close opens a new connection`() throws {
    for kind in Self.protocols {
      var (harness, closes) = try answered(kind)
      harness.run(until: closes + Self.delay)
      let next = harness.get(isSecure: kind.0, version: kind.1)
      harness.run()
      #expect(harness.failure(of: next) == nil && harness.path.statistics(of: next).connection == 1)
      #expect(harness.time(of: .connected(reused: false), next) == closes + Self.delay * 3)
    }
  }

  /// The client learns of the close only from the packet and uses the connection until then.
  @Test(arguments: [-19, -1, 0, 1, 19])
  func `a request that crosses an idle close fails when the close arrives`(
    milliseconds: Int
  ) throws {
    for kind in Self.protocols {
      var (harness, closes) = try answered(kind)
      harness.run(until: closes + .milliseconds(milliseconds))
      let next = harness.get(isSecure: kind.0, version: kind.1)
      harness.run()
      #expect(harness.time(of: .connected(reused: true), next) == closes + .milliseconds(milliseconds))
      #expect(harness.time(of: .failed(.truncated), next) == closes + Self.delay)
      #expect(harness.time(of: .requestReceived, next) == nil && harness.endings(of: next) == 1)
      let after = harness.get(key: 2, isSecure: kind.0, version: kind.1)
      harness.run(until: .seconds(20_000))
      #expect(harness.failure(of: after) == nil && harness.path.statistics(of: after).connection == 1)
    }
  }

  @Test func `a request that reaches the server in time is answered and restarts the idle time`() throws {
    for kind in Self.protocols {
      var (harness, closes) = try answered(kind)
      harness.run(until: closes - .milliseconds(21))
      let second = harness.get(isSecure: kind.0, version: kind.1)
      harness.run(until: closes + .seconds(1))
      let answered = try #require(harness.time(of: .responseReceived, second))
      #expect(answered == closes + .milliseconds(19))
      harness.run(until: answered + .milliseconds(1_990))
      let third = harness.get(isSecure: kind.0, version: kind.1)
      harness.run()
      #expect(harness.time(of: .failed(.truncated), third) == answered + .seconds(2) + Self.delay)
    }
  }

  @Test func `an idle close fails all requests on its connection and none of another host`() throws {
    var (harness, closes) = try answered((true, .http2))
    harness.run(until: closes)
    let lost = (1...3).map { harness.get(key: $0, isSecure: true, version: .http2) }
    let other = harness.get(host: "b.example", isSecure: true, version: .http2)
    harness.run()
    #expect(lost.allSatisfy { harness.failure(of: $0) == .truncated })
    #expect(harness.failure(of: other) == nil)
  }

  /// The packet that closes the connection is lost, so the client first receives the server's answer to its data.
  @Test func `a request after a lost idle close fails with the server's reset`() throws {
    for kind in Self.protocols {
      let closes = try answered(kind).closes
      let phases = [
        ConditionSchedule.Phase(
          for: closes - .milliseconds(1), conditions: .symmetric(delay: Self.delay)),
        .init(for: .milliseconds(2), conditions: .symmetric(delay: Self.delay, outage: .drop)),
        .init(conditions: .symmetric(delay: Self.delay)),
      ]
      var harness = Harness(try #require(ConditionSchedule(phases: phases)))
      harness.get(isSecure: kind.0, version: kind.1, faults: [.idleClose(after: .seconds(2))])
      harness.run(until: closes + .milliseconds(5))
      let next = harness.get(isSecure: kind.0, version: kind.1)
      harness.run()
      #expect(harness.time(of: .failed(.reset), next) == closes + .milliseconds(5) + Self.delay * 2)
      #expect(harness.time(of: .requestReceived, next) == nil)
    }
  }

  @Test func `the shortest of several idle times closes the connection`() throws {
    var harness = Harness(.symmetric(delay: Self.delay))
    let first = harness.get(faults: [.idleClose(after: .zero), .idleClose(after: .seconds(9))])
    harness.run(until: .seconds(1))
    let closed = try #require(harness.time(of: .responseReceived, first)) + Self.delay
    #expect(closed < .seconds(1))
    let second = harness.get(faults: [.idleClose(after: .seconds(70))])
    harness.run()
    #expect(harness.path.statistics(of: second).connection == 1 && harness.endings(of: second) == 1)
    #expect(harness.path.nextEventTime == nil)
  }
}
