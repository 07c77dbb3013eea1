import LinkSimulator
import Testing

struct PathSimulatorTests {
  static let slow = PathConditions.symmetric(.kilobitsPerSecond(800), delay: .milliseconds(50))

  @Test func `a request takes exactly a TCP handshake, a round trip and its bytes' time`() throws {
    var harness = Harness(Self.slow)
    let stream = harness.get(1_000, request: 100)
    harness.run()
    // At 800 kbit/s a byte takes 10 us: SYN and SYN-ACK 60 each.
    #expect(harness.time(of: .connected(reused: false), stream) == .microseconds(100_000 + 1_200))
    // ACK 52, request 152.
    #expect(harness.time(of: .requestReceived, stream) == .microseconds(101_200 + 520 + 1_520 + 50_000))
    // The acknowledgement of the request, then 1052 bytes.
    #expect(harness.time(of: .responseReceived, stream) == .microseconds(153_240 + 520 + 10_520 + 50_000))
    #expect(
      harness.events(of: stream).map(\.kind) == [
        .connected(reused: false), .requestSent, .uploaded(total: 100), .requestReceived, .received(count: 1_000),
        .responseReceived,
      ])
    #expect(harness.path.nextEventTime == nil)
  }

  @Test func `requests over an unlimited path complete in zero time`() {
    for version in StreamRequest.HTTPVersion.allCases {
      for isSecure in [false, true] {
        var harness = Harness()
        let streams = (0..<20).map { number in
          harness.get(100_000, key: UInt64(number), isSecure: isSecure, version: version, needsResolution: true)
        }
        harness.run(until: .zero)
        for stream in streams {
          #expect(harness.received(by: stream) == 100_000)
          #expect(harness.time(of: .responseReceived, stream) == .zero)
        }
      }
    }
  }

  @Test func `a name is looked up once for two waiting requests and then cached`() {
    var harness = Harness(.symmetric(delay: .milliseconds(10), dnsDelay: .milliseconds(5)))
    let first = harness.get(key: 1, needsResolution: true)
    let second = harness.get(key: 2, needsResolution: true)
    harness.run(until: .seconds(1))
    #expect(harness.time(of: .resolved(cached: false), first) == .milliseconds(25))
    #expect(harness.time(of: .resolved(cached: false), second) == .milliseconds(25))
    let third = harness.get(key: 3, version: .http2, needsResolution: true)
    harness.run(until: .seconds(2))
    #expect(harness.time(of: .resolved(cached: true), third) == .seconds(1))
  }

  @Test func `a name lookup without an answer fails after three attempts`() {
    var harness = Harness(.symmetric(outage: .drop))
    let stream = harness.get(needsResolution: true)
    harness.run(until: .seconds(60))
    #expect(harness.time(of: .failed(.resolutionTimedOut), stream) == .seconds(15))
    #expect(harness.events(of: stream).count { $0.kind == .packetLost(.up, .outage) } == 3)
  }

  @Test func `a TLS handshake takes one more round trip`() throws {
    var harness = Harness(.symmetric(delay: .milliseconds(50)))
    let stream = harness.get(isSecure: true)
    harness.run()
    #expect(harness.time(of: .connected(reused: false), stream) == .milliseconds(100))
    #expect(harness.time(of: .secured, stream) == .milliseconds(200))
    #expect(harness.time(of: .responseReceived, stream) == .milliseconds(300))
  }

  @Test func `an idle connection is reused without a handshake until it is too old`() {
    var harness = Harness(.symmetric(delay: .milliseconds(50)))
    harness.get()
    harness.run(until: .seconds(30))
    let second = harness.get()
    harness.run(until: .seconds(200))
    let third = harness.get()
    harness.run(until: .seconds(300))
    #expect(harness.time(of: .connected(reused: true), second) == .seconds(30))
    #expect(harness.time(of: .responseReceived, second) == .milliseconds(30_100))
    #expect(harness.time(of: .connected(reused: false), third) == .milliseconds(200_100))
    #expect(harness.path.statistics(of: second).connection == 0)
    #expect(harness.path.statistics(of: third).connection == 1)
  }

  @Test func `HTTP/1 opens six connections to a host, and further requests wait`() {
    var harness = Harness(.symmetric(delay: .milliseconds(50)))
    let streams = (0..<20).map { harness.get(key: UInt64($0)) }
    harness.run()
    let ends = streams.map { harness.time(of: .responseReceived, $0) }
    #expect(ends[0..<6].allSatisfy { $0 == .milliseconds(200) })
    #expect(ends[6..<12].allSatisfy { $0 == .milliseconds(300) })
    #expect(ends[18..<20].allSatisfy { $0 == .milliseconds(500) })
    #expect(Set(streams.map { harness.path.statistics(of: $0).connection }).count == 6)
  }

  @Test func `HTTP/2 sends a hundred requests at a time over one connection`() {
    var harness = Harness(.symmetric(delay: .milliseconds(50)))
    let streams = (0..<150).map { harness.get(100, key: UInt64($0), isSecure: true, version: .http2) }
    harness.run()
    #expect(Set(streams.map { harness.path.statistics(of: $0).connection }) == [0])
    let ends = streams.map { harness.time(of: .responseReceived, $0)! }
    // A server's first window holds seven answers beside tickets and settings; later answers arrive a round trip later.
    #expect(ends[0] < ends[100])
    #expect(ends[100...].allSatisfy { $0 >= ends[99] })
    #expect(streams.allSatisfy { harness.endings(of: $0) == 1 })
  }

  @Test func `fair scheduling completes a small HTTP/2 response before a large one`() {
    var configuration = PathConfiguration()
    configuration.scheduling = .fair
    var harness = Harness(Self.slow, configuration: configuration)
    let large = harness.get(500_000, key: 1, isSecure: true, version: .http2)
    let small = harness.get(1_000, key: 2, isSecure: true, version: .http2)
    harness.run()
    #expect(harness.received(by: large) == 500_000)
    #expect(harness.time(of: .responseReceived, small)! < .seconds(1))
    #expect(harness.time(of: .responseReceived, large)! > .seconds(5))
  }

  @Test(arguments: [0, 1, 1_447, 1_448, 1_449, 14_480, 65_536, 1_000_000, 5_000_000] as [Int64])
  func `every byte arrives in both directions despite loss`(size: Int64) {
    for (number, version) in StreamRequest.HTTPVersion.allCases.enumerated() {
      let conditions = PathConditions.symmetric(
        .megabitsPerSecond(20), delay: .milliseconds(10), loss: .independent(.percent(3)))
      var harness = Harness(conditions, seed: UInt64(size) + UInt64(number))
      let stream = harness.get(size, request: size, isSecure: version == .http2, version: version)
      harness.run(until: .seconds(900))
      #expect(harness.received(by: stream) == size)
      #expect(harness.endings(of: stream) == 1)
      #expect(harness.time(of: .responseReceived, stream) != nil)
      let uploads = harness.events(of: stream).compactMap { event -> Int64? in
        if case .uploaded(let total) = event.kind { total } else { nil }
      }
      #expect(uploads == uploads.sorted() && (uploads.last ?? 0) == size)
      #expect(harness.events.map(\.time) == harness.events.map(\.time).sorted())
    }
  }

  @Test func `the same seed gives the same events and another seed gives others`() {
    func events(_ seed: UInt64) -> [PathEvent] {
      var harness = Harness(
        .symmetric(.megabitsPerSecond(5), delay: .milliseconds(20), loss: .independent(.percent(2))), seed: seed)
      for number in 0..<8 { harness.get(60_000, key: UInt64(number), isSecure: true) }
      harness.run()
      return harness.events
    }
    #expect(events(1) == events(1))
    #expect(events(1) != events(2))
  }

  @Test func `the order of requests started at one instant does not change their times`() {
    func times(_ order: [UInt64]) -> [UInt64: Duration?] {
      var harness = Harness(
        .symmetric(.megabitsPerSecond(5), delay: .milliseconds(20), loss: .independent(.percent(2))), seed: 3)
      var streams: [UInt64: StreamID] = [:]
      for key in order {
        streams[key] = harness.get(50_000, key: key, host: key % 2 == 0 ? "even.example" : "odd.example")
      }
      harness.run()
      return streams.mapValues { harness.time(of: .responseReceived, $0) }
    }
    let expected = times(Array(0..<16))
    #expect(times((0..<16).reversed()) == expected)
    #expect(times([3, 9, 0, 15, 1, 2, 14, 7, 4, 5, 13, 6, 8, 12, 10, 11]) == expected)
  }

  @Test func `the size of time steps does not change the events`() {
    func events(step: Duration?) -> [PathEvent] {
      var path = PathSimulator(
        seed: 5,
        schedule: ConditionSchedule(
          .symmetric(.megabitsPerSecond(5), delay: .milliseconds(20), loss: .independent(.percent(2)))))
      let stream = path.open(StreamRequest(key: 1, host: "a.example", port: 80))
      path.write(100, .up, on: stream, finishing: true)
      path.write(300_000, .down, on: stream, finishing: true)
      var time = SimulatedInstant.zero
      while time < SimulatedInstant(nanoseconds: 60_000_000_000) {
        time = time.advanced(by: step ?? .seconds(60))
        path.advance(to: time)
      }
      var events: [PathEvent] = []
      path.drainEvents { events.append($0) }
      return events
    }
    #expect(events(step: .milliseconds(7)) == events(step: nil))
    #expect(events(step: nil).last?.kind == .responseReceived)
  }

  @Test func `a fault on one host does not change the events of another host`() {
    func events(faults: [StreamFault]) -> [PathEvent.Kind] {
      var harness = Harness(.symmetric(delay: .milliseconds(20), loss: .independent(.percent(5))), seed: 11)
      let stream = harness.get(200_000, key: 2, host: "b.example")
      harness.get(200_000, key: 1, host: "a.example", faults: faults)
      harness.run()
      return harness.events(of: stream).map(\.kind)
    }
    let undisturbed = events(faults: [])
    #expect(events(faults: [.reset(direction: .down, afterBytes: 5_000)]) == undisturbed)
    #expect(events(faults: [.refused]) == undisturbed)
  }

  @Test func `no byte arrives earlier than rate and delay allow`() {
    for seed in 0..<10 as Range<UInt64> {
      var harness = Harness(
        .symmetric(.megabitsPerSecond(8), delay: .milliseconds(30), loss: .independent(.percent(1))), seed: seed)
      let stream = harness.get(400_000)
      harness.run()
      var total: Int64 = 0
      let begin = harness.time(of: .requestReceived, stream)!
      for event in harness.events(of: stream) {
        guard case .received(let count) = event.kind else { continue }
        total += count
        // 8 Mbit/s are a byte each microsecond.
        let least = begin + .milliseconds(30) + .microseconds(total)
        #expect(SimulatedInstant.zero.duration(to: event.time) >= least)
      }
      #expect(total == 400_000)
    }
  }

  @Test(arguments: StreamRequest.HTTPVersion.allCases)
  func `an early response completes with its upload or when the client stops the upload`(
    version: StreamRequest.HTTPVersion
  ) {
    for stops in [false, true] {
      var harness = Harness(.symmetric(.megabitsPerSecond(8), delay: .milliseconds(10)))
      // The upload of 1 MB takes 1 s; the response arrives long before its end.
      let stream = harness.get(request: 1_000_000, version: version, answers: false)
      harness.run(until: .milliseconds(200))
      harness.path.write(100, .down, on: stream, finishing: true)
      harness.run(until: .milliseconds(300))
      #expect(harness.received(by: stream) == 100 && harness.endings(of: stream) == 0)
      if stops { harness.path.stopUpload(of: stream) }
      harness.run(until: .seconds(5))
      #expect(harness.endings(of: stream) == 1)
      #expect((harness.time(of: .responseReceived, stream) == .milliseconds(300)) == stops)
      #expect(harness.time(of: .responseReceived, stream) == harness.time(of: .requestReceived, stream) || stops)
      // HTTP/1.1 cannot reuse a connection with half a request on it.
      let next = harness.get(key: 2, version: version)
      harness.run(until: .seconds(6))
      let isReused = harness.time(of: .connected(reused: true), next) != nil
      #expect(isReused == (version != .http1 || !stops))
      #expect(harness.endings(of: next) == 1)
    }
  }

  @Test func `a server that resets a connection receives no more of its upload`() {
    var harness = Harness(.symmetric(.megabitsPerSecond(8), delay: .milliseconds(10)))
    let stream = harness.get(request: 100_000, faults: [.reset(direction: .up, afterBytes: 20_000)])
    harness.run()
    let totals = harness.events(of: stream).compactMap { event in
      if case .uploaded(let total) = event.kind { total } else { nil }
    }
    #expect((20_000..<21_448).contains(totals.last ?? 0))
    #expect(harness.failure(of: stream) == .reset && harness.time(of: .requestReceived, stream) == nil)
  }

  @Test func `packet statistics match the reported losses and retransmissions`() {
    var harness = Harness(
      .symmetric(.megabitsPerSecond(2), delay: .milliseconds(30), loss: .independent(.percent(2)), queue: 20), seed: 4)
    let stream = harness.get(500_000)
    harness.run()
    let statistics = harness.path.statistics(of: stream)
    let losses = harness.events(of: stream).count { event in
      if case .packetLost(.down, _) = event.kind { true } else { false }
    }
    let copies = harness.events(of: stream).count { event in
      if case .retransmitted(.down, _) = event.kind { true } else { false }
    }
    #expect(statistics.down.lost == Int64(losses) && losses > 0)
    #expect(statistics.down.retransmissions == Int64(copies) && copies > 0)
    // 500000 bytes are 346 segments; SYN-ACK and acknowledgements add to them.
    #expect(statistics.down.packets >= 346 + Int64(copies))
    #expect(statistics.down.bytes > 500_000 + 346 * 52)
  }

  @Test func `extreme sizes, rates and delays do not overflow`() {
    var harness = Harness(.symmetric(.maximum, delay: .seconds(100_000_000)))
    let stream = harness.get(1_000)
    harness.run(until: .seconds(3_000_000_000))
    #expect(harness.endings(of: stream) == 1)
    var path = PathSimulator(seed: 1, schedule: ConditionSchedule(.symmetric(.kilobitsPerSecond(1))))
    let huge = path.open(StreamRequest(key: 1, host: "a.example", port: 80))
    path.write(.max, .up, on: huge, finishing: false)
    path.write(.max, .up, on: huge, finishing: true)
    path.advance(to: SimulatedInstant(nanoseconds: 1_000_000_000_000))
    #expect(path.statistics(of: huge).up.packets > 10)
  }

  @Test func `forgetting a request removes its statistics`() {
    var harness = Harness()
    let stream = harness.get()
    harness.run()
    #expect(harness.path.statistics(of: stream).up.packets > 0)
    harness.path.forget(stream)
    #expect(harness.path.statistics(of: stream) == StreamStatistics())
    harness.path.cancel(stream)
    harness.path.write(5, .up, on: stream, finishing: true)
    #expect(harness.path.nextEventTime == nil)
  }
}
