import LinkSimulator
import Testing
import Thoroughness

/// Random operations in random order: no crash, no event out of order or after an end, and every request ends.
struct RandomOperationTests {
  private static func conditions(_ random: inout TestRandom) -> PathConditions {
    let rates: [Bandwidth?] = [nil, .zero, .kilobitsPerSecond(50), .megabitsPerSecond(1), .megabitsPerSecond(40)]
    func link(_ random: inout TestRandom) -> LinkConditions {
      let losses: [LossModel] = [
        .none, .independent(.percent(2)), .independent(.percent(30)),
        .bursts(GilbertElliott(mean: .percent(5), burst: 3)!),
      ]
      let shape = Jitter.Distribution.allCases[Int(random.next(0..<4))]
      return LinkConditions(
        rate: rates[Int(random.next(0..<5))], delay: .milliseconds(random.next(0..<200)),
        jitter: random.next(0..<2) == 0 ? nil : Jitter(shape, spread: .milliseconds(random.next(0..<30))),
        loss: losses[Int(random.next(0..<4))], queue: Int(random.next(0..<50)), reorders: random.next(0..<3) == 0)
    }
    let outage = random.next(0..<10)
    var conditions = PathConditions(
      down: link(&random), up: link(&random), dnsDelay: .milliseconds(random.next(0..<100)),
      outage: outage == 0 ? .drop : outage == 1 ? .refuse : nil)
    if random.next(0..<3) == 0 { conditions.model = .devTools }
    return conditions
  }

  private static func faults(_ random: inout TestRandom) -> [StreamFault] {
    let bytes = random.next(0..<20_000)
    let all: [StreamFault] = [
      .resolutionFailure, .refused, .unreachable, .handshakeFailure, .reset(direction: .up, afterBytes: bytes),
      .reset(direction: .down, afterBytes: bytes), .stall(afterBytes: bytes, duration: .seconds(2)),
      .truncation(afterBytes: bytes), .slowClose(delay: .seconds(1)),
      .idleClose(after: .milliseconds(bytes)), .goAway, .streamReset(afterBytes: bytes),
    ]
    return (0..<random.next(0..<3)).compactMap { _ in
      random.next(0..<3) == 0 ? all[Int(random.next(0..<Int64(all.count)))] : nil
    }
  }

  private static func run(_ seed: UInt64) -> (events: [PathEvent], cancelled: Set<StreamID>, streams: [StreamID]) {
    var random = TestRandom(seed)
    var path = PathSimulator(seed: seed, schedule: ConditionSchedule(conditions(&random)))
    var streams: [StreamID] = []
    var cancelled: Set<StreamID> = []
    var events: [PathEvent] = []
    func react(_ path: inout PathSimulator, _ random: inout TestRandom) {
      var fresh: [PathEvent] = []
      path.drainEvents { fresh.append($0) }
      for event in fresh where event.kind == .requestReceived {
        path.write(random.next(0..<40_000), .down, on: event.stream!, finishing: true)
      }
      events += fresh
    }
    for _ in 0..<120 {
      switch random.next(0..<12) {
      case 0..<5:
        let isSecure = random.next(0..<2) == 0
        let stream = path.open(
          StreamRequest(
            key: UInt64(random.next(0..<1_000)), host: "\(random.next(0..<3)).example", port: isSecure ? 443 : 80,
            isSecure: isSecure, version: random.next(0..<2) == 0 ? .http1 : .http2,
            needsResolution: random.next(0..<2) == 0, faults: faults(&random)))
        streams.append(stream)
        path.write(random.next(0..<30_000), .up, on: stream, finishing: true)
      case 5 where !streams.isEmpty:
        let stream = streams[Int(random.next(0..<Int64(streams.count)))]
        path.cancel(stream)
        cancelled.insert(stream)
      case 6 where !streams.isEmpty:
        path.abort(streams[Int(random.next(0..<Int64(streams.count)))])
      case 7:
        path.use(ConditionSchedule(conditions(&random)))
      default:
        path.advance(to: path.now.advanced(by: .milliseconds(random.next(0..<800))))
      }
      react(&path, &random)
    }
    // At the end the network is good, so that every open request can end.
    path.use(ConditionSchedule(.symmetric(.megabitsPerSecond(10), delay: .milliseconds(10))))
    while let next = path.nextEventTime, next < SimulatedInstant(nanoseconds: 20_000_000_000_000) {
      path.advance(to: next)
      react(&path, &random)
    }
    for stream in streams { path.forget(stream) }
    return (events, cancelled, streams)
  }

  @Test(arguments: Thoroughness.cases(10, of: 0..<60))
  func `under random operations events stay in order and every request ends unless cancelled`(seed: UInt64) {
    let (events, cancelled, streams) = Self.run(seed)
    #expect(events.map(\.time) == events.map(\.time).sorted())
    var ended: Set<StreamID> = []
    for event in events {
      guard let stream = event.stream else { continue }
      #expect(!ended.contains(stream), "nothing happens after the end")
      switch event.kind {
      case .failed, .responseReceived: ended.insert(stream)
      default: break
      }
    }
    for stream in streams where !cancelled.contains(stream) { #expect(ended.contains(stream), "\(stream)") }
    #expect(Self.run(seed).events == events)
  }
}
