import LinkSimulator
import Testing

struct StreamFaultTests {
  private static let conditions = PathConditions.symmetric(.megabitsPerSecond(8), delay: .milliseconds(20))
  private static let protocols: [(Bool, StreamRequest.HTTPVersion)] = [
    (false, .http1), (true, .http1), (true, .http2), (true, .http3),
  ]

  private func run(_ faults: [StreamFault], _ kind: (Bool, StreamRequest.HTTPVersion), loss: Double = 0) -> (
    Harness, StreamID
  ) {
    var conditions = Self.conditions
    if loss > 0 {
      conditions.down.loss = .independent(.percent(loss))
      conditions.up.loss = .independent(.percent(loss))
    }
    var harness = Harness(conditions, seed: 9)
    let stream = harness.get(
      100_000, request: 20_000, isSecure: kind.0, version: kind.1, needsResolution: true, faults: faults)
    harness.run(until: .seconds(600))
    return (harness, stream)
  }

  @Test func `a request that must connect closes an idle connection where no more are allowed`() {
    var configuration = PathConfiguration()
    configuration.connectionsPerHost = 1
    var harness = Harness(Self.conditions, configuration: configuration)
    harness.get()
    harness.run(until: .seconds(5))
    let refused = harness.get(key: 2, faults: [.refused])
    harness.run(until: .seconds(6))
    #expect(harness.failure(of: refused) == .refused)
  }

  @Test func `a fault's byte position on a connection counts the bytes of earlier messages`() {
    let faults: [(Int64) -> StreamFault] = [
      { .reset(direction: .up, afterBytes: $0) }, { .stall(afterBytes: $0, duration: .seconds(1)) },
      { .truncation(afterBytes: $0) }, { .streamReset(afterBytes: $0) },
    ]
    for fault in faults { #expect(fault(2).shifted(by: 40) == fault(42) && fault(.max).shifted(by: 1) == fault(.max)) }
    #expect(StreamFault.goAway.shifted(by: 40) == .goAway)
  }

  @Test(arguments: [0.0, 5.0])
  func `a reset fault fails the request once, after exactly the given number of bytes`(loss: Double) {
    for kind in Self.protocols {
      for bytes in [0, 1, 30_000] as [Int64] {
        let (harness, stream) = run([.reset(direction: .down, afterBytes: bytes)], kind, loss: loss)
        #expect(harness.failure(of: stream) == .reset)
        #expect(harness.received(by: stream) == bytes)
        #expect(harness.endings(of: stream) == 1)
      }
    }
  }

  @Test func `a reset during an upload reaches the client one delay later`() {
    for kind in Self.protocols {
      let (harness, stream) = run([.reset(direction: .up, afterBytes: 5_000)], kind)
      #expect(harness.failure(of: stream) == .reset)
      let seen = harness.events(of: stream).first { event in
        if case .uploaded(let total) = event.kind { total >= 5_000 } else { false }
      }
      #expect(seen!.time.advanced(by: .milliseconds(20)) < harness.events(of: stream).last!.time)
      #expect(harness.received(by: stream) == 0)
    }
  }

  @Test func `a server receives exactly the bytes of an upload before its reset fault`() {
    for kind in Self.protocols {
      for bytes in [0, 1, 99, 100, 101] as [Int64] {
        var harness = Harness(Self.conditions)
        let stream = harness.get(
          request: 100, isSecure: kind.0, version: kind.1, faults: [.reset(direction: .up, afterBytes: bytes)])
        harness.run()
        #expect(harness.failure(of: stream) == (bytes > 100 ? nil : .reset))
        #expect((harness.time(of: .requestReceived, stream) == nil) == (bytes < 100))
        let seen = harness.events(of: stream).compactMap { event in
          if case .uploaded(let total) = event.kind { total } else { nil }
        }
        #expect(seen == (bytes == 0 ? [] : [min(bytes, 100)]))
      }
    }
  }

  @Test func `a truncated response fails after exactly the given number of bytes`() {
    for kind in Self.protocols {
      let (harness, stream) = run([.truncation(afterBytes: 12_345)], kind)
      #expect(harness.failure(of: stream) == .truncated)
      #expect(harness.received(by: stream) == 12_345)
      let (whole, other) = run([.truncation(afterBytes: 100_000)], kind)
      #expect(whole.failure(of: other) == nil && whole.endings(of: other) == 1)
    }
  }

  @Test func `a stall fault delays the rest of a response for its time or for ever`() {
    for kind in Self.protocols {
      let (plain, plainStream) = run([], kind)
      let (harness, stream) = run([.stall(afterBytes: 10_000, duration: .seconds(30))], kind)
      #expect(harness.received(by: stream) == 100_000)
      let delay = harness.time(of: .responseReceived, stream)! - plain.time(of: .responseReceived, plainStream)!
      #expect(delay > .seconds(29) && delay < .seconds(30))
      let (stuck, other) = run([.stall(afterBytes: 10_000, duration: nil)], kind)
      #expect(stuck.received(by: other) == 10_000)
      #expect(stuck.endings(of: other) == 0)
    }
  }

  @Test func `a slow close delays only the end of a response`() {
    for kind in Self.protocols {
      let (harness, stream) = run([.slowClose(delay: .seconds(5))], kind)
      let last = harness.events(of: stream).last { event in
        if case .received = event.kind { true } else { false }
      }
      #expect(
        harness.time(of: .responseReceived, stream)! == SimulatedInstant.zero.duration(to: last!.time) + .seconds(5))
    }
  }

  @Test func `lookup, connection and handshake faults fail a request with their own errors`() {
    for kind in Self.protocols {
      let (unknown, first) = run([.resolutionFailure], kind)
      #expect(unknown.failure(of: first) == .resolutionFailed)
      #expect(unknown.time(of: .failed(.resolutionFailed), first)! > .milliseconds(40))
      let (refused, second) = run([.refused], kind)
      #expect(refused.failure(of: second) == .refused)
      let (silent, third) = run([.unreachable], kind)
      #expect(silent.failure(of: third) == .connectTimedOut)
      let time = silent.time(of: .failed(.connectTimedOut), third)!.components.seconds
      let again = silent.events(of: third).count {
        $0.kind == .retransmitted(.up, .timeout) || $0.kind == .retransmitted(.up, .probe)
      }
      if kind.1 == .http3 {
        // One probe each at 1, 3, 7 and 15 s after the first packet; the connection ends after 30 s without an answer.
        #expect(time == 30 && again == 4)
      } else {
        // 131 s after the first SYN, plus the delay of the coarse timers.
        #expect((131...145).contains(time) && again == 10)
      }
      if kind.0 {
        let (handshake, fourth) = run([.handshakeFailure], kind)
        #expect(handshake.failure(of: fourth) == .handshakeFailed)
      }
    }
  }

  @Test func `a TLS fault on its own connection does not affect other requests`() {
    var harness = Harness(Self.conditions)
    let first = harness.get(key: 1, isSecure: true, version: .http2)
    let second = harness.get(key: 2, isSecure: true, version: .http2, faults: [.handshakeFailure])
    let third = harness.get(key: 3, isSecure: true, version: .http2)
    harness.run()
    #expect(harness.failure(of: second) == .handshakeFailed)
    #expect(harness.time(of: .responseReceived, first) != nil && harness.time(of: .responseReceived, third) != nil)
  }

  @Test func `an aborted response fails at the client after the delay of the link`() {
    for kind in Self.protocols {
      var harness = Harness(Self.conditions)
      let stream = harness.get(1_000_000, isSecure: kind.0, version: kind.1)
      harness.run(until: .milliseconds(300))
      harness.path.abort(stream)
      harness.path.abort(stream)
      harness.run(until: .seconds(60))
      #expect(harness.failure(of: stream) == .reset)
      #expect(harness.endings(of: stream) == 1)
      #expect(harness.time(of: .failed(.reset), stream)! >= .milliseconds(320))
      #expect((1..<1_000_000).contains(harness.received(by: stream)))
    }
  }

  @Test(arguments: [
    (StreamFault.reset(direction: .down, afterBytes: 0), StreamFailure.reset),
    (.reset(direction: .down, afterBytes: 5_000), .reset), (.reset(direction: .up, afterBytes: 10), .reset),
    (.truncation(afterBytes: 5_000), .truncated),
  ])
  func `a fault that ends a connection fails all its requests, and the next opens another`(
    fault: StreamFault, failure: StreamFailure
  ) {
    // Under fair scheduling the response with the fault does not wait behind the large one.
    var configuration = PathConfiguration()
    configuration.scheduling = .fair
    var harness = Harness(Self.conditions, seed: 4, configuration: configuration)
    let before = harness.get(500_000, key: 1, isSecure: true, version: .http2)
    harness.run(until: .milliseconds(200))
    let struck = harness.get(20_000, key: 2, isSecure: true, version: .http2, faults: [fault])
    let after = harness.get(key: 3, isSecure: true, version: .http2)
    harness.run(until: .milliseconds(220))
    // This request is under way when the server ends the connection, and the server never reads it.
    let unread = harness.get(500, key: 4, isSecure: true, version: .http2)
    harness.run(until: .seconds(60))
    for stream in [before, struck, after, unread] {
      #expect(harness.failure(of: stream) == failure)
      #expect(harness.endings(of: stream) == 1)
    }
    #expect(harness.time(of: .requestReceived, unread) == nil)
    let next = harness.get(key: 5, isSecure: true, version: .http2)
    harness.run()
    #expect(harness.time(of: .connected(reused: false), next) != nil)
    #expect(harness.time(of: .responseReceived, next) != nil)
  }

  @Test func `aborting one HTTP/2 response does not affect the others`() {
    var harness = Harness(Self.conditions)
    let given = harness.get(500_000, key: 1, isSecure: true, version: .http2)
    let other = harness.get(500_000, key: 2, isSecure: true, version: .http2)
    harness.run(until: .milliseconds(300))
    harness.path.abort(given)
    harness.run(until: .seconds(60))
    #expect(harness.failure(of: given) == .reset)
    #expect(harness.received(by: other) == 500_000)
    let next = harness.get(key: 3, isSecure: true, version: .http2)
    harness.run()
    #expect(harness.time(of: .connected(reused: true), next) != nil)
  }

  @Test func `a cancelled request gives no event, and only HTTP/2 reuses its connection`() {
    for kind in Self.protocols {
      var harness = Harness(Self.conditions)
      let stream = harness.get(1_000_000, isSecure: kind.0, version: kind.1)
      harness.run(until: .milliseconds(300))
      harness.path.cancel(stream)
      let before = harness.events(of: stream).count
      harness.run(until: .seconds(60))
      #expect(harness.events(of: stream).count == before && harness.endings(of: stream) == 0)
      let next = harness.get(isSecure: kind.0, version: kind.1)
      harness.run(until: .seconds(120))
      #expect(harness.endings(of: next) == 1)
      // A QUIC connection is closed after 30 s without a packet.
      #expect(harness.path.statistics(of: next).connection == (kind.1 == .http2 ? 0 : 1))
    }
  }
}
