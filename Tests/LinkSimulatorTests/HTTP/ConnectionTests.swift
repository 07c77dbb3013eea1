import Testing

@testable import LinkSimulator

struct ConnectionTests {
  private func stream(_ faults: [StreamFault] = [], use: StreamRequest.ConnectionUse = .pooled) -> LinkSimulator.Stream
  {
    Stream(number: 0, StreamRequest(key: 1, host: "a", port: 80, use: use, faults: faults), pool: 0)
  }

  private func connection(secure: Bool, _ version: StreamRequest.HTTPVersion) -> Connection {
    Connection(
      PoolKey(host: "a", port: 80, isSecure: secure, version: version), pool: 0, number: 0, for: stream(), at: 0,
      scheduling: .fair)
  }

  @Test(arguments: [
    // A TLS record holds 16 KiB and adds 22 bytes. An HTTP/2 frame holds 8 KiB and adds 9; two frames share a record.
    (false, StreamRequest.HTTPVersion.http1, false, 16_384 as Int64, 0 as Int32, 0 as Int32),
    (true, .http1, true, 16_384, 22, 22), (false, .http2, true, 8_192, 9, 0), (true, .http2, true, 8_192, 9 + 11, 22),
  ])
  func `each protocol has its frame size and its framing overhead`(
    isSecure: Bool, version: StreamRequest.HTTPVersion, isFramed: Bool, size: Int64, framing: Int32, record: Int32
  ) {
    let connection = connection(secure: isSecure, version)
    #expect(connection.isFramed == isFramed)
    #expect(connection.frameSize == size)
    #expect(connection.framing(of: size, .down) == framing)
    #expect(connection.recordFraming == record)
  }

  @Test(arguments: [StreamRequest.HTTPVersion.http1, .http2, .http3])
  func `a connection counts each packet that it sends, and those that it sends again`(
    version: StreamRequest.HTTPVersion
  ) throws {
    let loss = LossModel.independent(.percent(3))
    var harness = Harness(.symmetric(.megabitsPerSecond(3), delay: .milliseconds(20), loss: loss, queue: 20), seed: 5)
    harness.path.recordPackets()
    let stream = harness.get(300_000, isSecure: version != .http1, version: version)
    harness.run(until: .seconds(5))
    let log = try #require(harness.path.packetLog)
    for direction in Direction.allCases {
      let statistics = harness.path.statistics(of: stream)
      let counters = direction == .up ? statistics.up : statistics.down
      let records = log.records.filter { $0.direction == direction }
      let again = records.count { $0.kind == .retransmitted }
      #expect(counters.retransmissions == again && (direction == .up || again > 0))
      // One or two packets are sent after the request has ended.
      #expect((0...2).contains(Int64(records.count { $0.kind == .sent } + again) - counters.packets))
    }
  }

  /// The bytes that a link carries for a response, without TCP's headers, from the request's statistics.
  private func bytesDown(_ count: Int64, isSecure: Bool, _ version: StreamRequest.HTTPVersion) -> Int64 {
    var harness = Harness(.symmetric(.megabitsPerSecond(10), delay: .milliseconds(5)))
    // The second request on the connection, after all bytes of the connection's setup.
    harness.get(10, isSecure: isSecure, version: version)
    harness.run(until: .seconds(5))
    let stream = harness.get(count, key: 2, isSecure: isSecure, version: version)
    harness.run(until: .seconds(20))
    let down = harness.path.statistics(of: stream).down
    return down.bytes - down.packets * Int64(Packet.headerSize)
  }

  @Test(arguments: [
    // The last value is the framing overhead in bytes.
    (1_000 as Int64, false, StreamRequest.HTTPVersion.http1, 0 as Int64), (16_384, false, .http1, 0),
    (1_000, true, .http1, 22),
    (16_384, true, .http1, 22), (16_385, true, .http1, 44), (1_000, false, .http2, 9), (8_192, false, .http2, 9),
    (8_193, false, .http2, 18), (16_384, false, .http2, 18), (1_000, true, .http2, 31), (8_193, true, .http2, 40),
  ])
  func `a response costs its body and the overhead of its frames`(
    count: Int64, isSecure: Bool, version: StreamRequest.HTTPVersion, overhead: Int64
  ) {
    #expect(bytesDown(count, isSecure: isSecure, version) == count + overhead)
  }

  @Test func `a stream hands out frames until nothing is left and marks the last one`() {
    var half = LinkSimulator.Stream.Half()
    (half.ready, half.isFinished) = (20, true)
    let frames = (0..<3).map { _ in
      let frame = half.takeFrame(of: 8)
      return "\(frame.count) \(frame.isLast) \(half.isQueued) \(half.isEnded)"
    }
    #expect(frames == ["8 false true false", "8 false true false", "4 true false true"])
    (half.ready, half.isFinished, half.isEnded) = (8, false, false)
    let whole = half.takeFrame(of: 8)
    #expect(whole == (8, false) && !half.isQueued && !half.isEnded)
  }

  // MARK: Cuts

  @Test(
    arguments: [
      // The written parts, whether a close ends the response, the bytes that remain, and whether the response is cut.
      ([60, 40], false, 100, false), ([60, 41], false, 100, true), ([101], false, 100, true),
      ([100], false, 100, false),
      ([100], true, 100, true), ([99], true, 99, false), ([60, 40], true, 100, true), ([0], false, 0, false),
    ] as [([Int64], Bool, Int64, Bool)])
  func `a truncation fault passes exactly the bytes before it`(parts: [Int64], closes: Bool, left: Int64, cuts: Bool) {
    var stream = stream([.truncation(afterBytes: 100)])
    stream.persistence = closes ? .endOfResponse : .kept
    for (index, part) in parts.enumerated() { _ = stream.take(part, .down, isLast: index == parts.count - 1) }
    #expect(stream.down.written == left && stream.down.ready == left)
    #expect(stream.isCut == cuts && stream.down.isFinished == !cuts)
    // After a cut the server's bytes are discarded, but the client's are accepted.
    let taken = (stream.take(5, .down, isLast: false), stream.take(5, .up, isLast: true))
    #expect(taken == (false, true) && stream.up.written == 5)
  }

  @Test func `the earliest of several faults of a kind takes effect, and delays add up`() throws {
    let faults = try #require(
      FaultStages([
        .truncation(afterBytes: 300), .reset(direction: .down, afterBytes: 200), .truncation(afterBytes: 200),
        .reset(direction: .up, afterBytes: 50), .reset(direction: .up, afterBytes: 40),
        .stall(afterBytes: 10, duration: .seconds(1)), .stall(afterBytes: 30, duration: nil),
        .stall(afterBytes: 20, duration: .seconds(2)), .slowClose(delay: .seconds(1)), .slowClose(delay: .seconds(2)),
        .idleClose(after: .seconds(9)), .idleClose(after: .seconds(5)), .idleForget(after: .seconds(7)),
        .idleForget(after: .seconds(8)),
      ]))
    #expect(faults.cut?.after == 200 && faults.cut?.kind == .reset)
    #expect(faults.resetUp == 40)
    // The next stall is the last in the list.
    #expect(faults.stalls.map(\.after) == [30, 20, 10] && faults.stalls[0].duration == .max)
    #expect(faults.slowClose == 3_000_000_000)
    #expect(faults.idleLimit == 5_000_000_000 && faults.natLimit == 7_000_000_000)
    #expect(FaultStages([]) == nil)
  }

  // MARK: The bytes on a connection

  @Test func `bytes read from a connection are assigned to the right stream for any packet size`() {
    var framingQueue = FramingQueue(announcesEnds: true)
    let one = StreamHandle(slot: 1, tag: 1)
    let totals = [
      framingQueue.append(.payload, 100, framing: 9, stream: one, isLast: false),
      framingQueue.append(.payload, 50, framing: 0, stream: one, isLast: true),
    ]
    #expect(totals == [109, 50])
    // The first read ends within the frame's head, the second after one byte of payload, and so on.
    func read(_ limit: Int64) -> [Int64] {
      var payloads: [Int64] = []
      while let portion = framingQueue.read(to: limit) {
        payloads.append(portion.isLast ? -portion.payload : portion.payload)
      }
      return payloads
    }
    #expect(read(5) == [0])
    #expect(read(10) == [1])
    #expect(read(10) == [])
    #expect(read(109) == [99])
    #expect(read(158) == [49])
    #expect(read(159) == [-1])
    let announced = [158, 159, 999].map { framingQueue.takeAnnouncement(sent: $0) }
    #expect(announced == [nil, one, nil])
  }

  @Test func `discarding unsent bytes also discards the end of their stream`() {
    var framingQueue = FramingQueue(announcesEnds: true)
    let one = StreamHandle(slot: 1, tag: 1)
    _ = framingQueue.append(.payload, 100, framing: 0, stream: one, isLast: false)
    _ = framingQueue.append(.filler, 50, framing: 0, stream: .none, isLast: false)
    _ = framingQueue.append(.payload, 30, framing: 0, stream: one, isLast: true)
    framingQueue.discard(beyond: 160)
    let announced = framingQueue.takeAnnouncement(sent: 999)
    #expect(announced == nil)
    var portions: [(Int64, Bool)] = []
    while let portion = framingQueue.read(to: 999) { portions.append((portion.payload, portion.isLast)) }
    #expect(portions.map(\.0) == [100, 50, 10] && !portions.contains { $0.1 })
  }

  @Test func `a tail loss probe carries requests that the window held back`() throws {
    let link = PathConditions.symmetric(.megabitsPerSecond(10), delay: .milliseconds(30))
    var out = link
    out.outage = .drop
    let phases = [
      ConditionSchedule.Phase(for: .seconds(1), conditions: link), ConditionSchedule.Phase(conditions: out),
    ]
    var harness = Harness(ConditionSchedule(phases: phases)!)
    harness.path.recordPackets()
    harness.get(isSecure: true, version: .http2)
    harness.run(until: .milliseconds(1_100))
    // The first window holds ten requests, one in each packet.
    for number in 0..<14 {
      harness.get(request: 20, key: UInt64(number), isSecure: true, version: .http2)
      harness.run(until: .microseconds(1_100_100 + Int64(number) * 100))
    }
    harness.run(until: .seconds(2))
    let log = try #require(harness.path.packetLog)
    let late = log.records.filter { $0.direction == .up && $0.length > 0 && $0.time.nanoseconds > 1_101_500_000 }
    let probe = try #require(late.first { $0.kind == .sent || $0.kind == .retransmitted })
    // Four requests of 20 bytes, each with a frame and a record around it.
    #expect(probe.kind == .sent && probe.length == 4 * (20 + 9 + 22))
  }
}
