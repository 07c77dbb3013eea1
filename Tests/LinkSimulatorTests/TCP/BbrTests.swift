import Testing

@testable import LinkSimulator

struct BbrTests {
  private typealias Control = PathConfiguration.CongestionControl

  private static func scenario(_ bytes: Int64, loss: Double = 0, _ control: Control = .bbr) -> TransferScenario {
    let link = LinkConditions(
      rate: .megabitsPerSecond(10), delay: .milliseconds(25), loss: loss > 0 ? .independent(.percent(loss)) : .none)
    var scenario = TransferScenario(.get, bytes: bytes, over: ConditionSchedule(PathConditions(down: link, up: link)))
    scenario.configuration.congestionControl = control
    return scenario
  }

  private static func seconds(_ scenario: TransferScenario, seed: UInt64) throws -> Double {
    try #require(scenario.run(seed: seed).total) / .seconds(1)
  }

  @Test func `a long BBR transfer without loss uses the whole link`() throws {
    // 5 MB in segments of 1448 bytes that take 1500 at 10 Mbit/s last 4.144 s; the start adds less than half a second.
    let time = try Self.seconds(Self.scenario(5_000_000), seed: 1)
    #expect((4.144...4.65).contains(time), "\(time)")
  }

  @Test func `random loss of 3 % hardly slows BBR but more than doubles CUBIC's time`() throws {
    let bbr = try Self.seconds(Self.scenario(5_000_000, loss: 3), seed: 1)
    let cubic = try Self.seconds(Self.scenario(5_000_000, loss: 3, .cubic), seed: 1)
    #expect(bbr < 6 && cubic > 2 * bbr, "\(bbr) \(cubic)")
  }

  @Test func `the start of BBR's gain cycle is random and repeatable for a seed`() throws {
    var scenario = Self.scenario(12_000_000)
    let link = LinkConditions(rate: .megabitsPerSecond(50), delay: .milliseconds(50))
    scenario.schedule = ConditionSchedule(PathConditions(down: link, up: link))
    let times = try (0..<4 as Range<UInt64>).map { try Self.seconds(scenario, seed: $0) }
    #expect(try Self.seconds(scenario, seed: 3) == times[3])
    // A transfer that ends in BBR's first cycle takes more or less time, depending on where the cycle began.
    #expect(Set(times.map { ($0 * 100).rounded() }).count > 1)
  }

  @Test func `BBR reduces its flight to four segments for 200 ms every ten seconds`() throws {
    var configuration = PathConfiguration()
    configuration.congestionControl = .bbr
    var harness = Harness(
      .symmetric(.megabitsPerSecond(10), delay: .milliseconds(25)), seed: 1, configuration: configuration)
    harness.path.recordPackets()
    _ = harness.get(16_000_000)
    harness.run(until: .seconds(30))
    let sent = try #require(harness.path.packetLog).records.filter { $0.direction == .down && $0.kind == .sent }
    let dips = sent.filter { $0.time.nanoseconds > 2_000_000_000 && $0.congestionWindow == 4 && $0.inFlight <= 4 }
    let first = try #require(dips.first).time.nanoseconds
    let last = try #require(dips.last { $0.time.nanoseconds < first + 2_000_000_000 }).time.nanoseconds
    #expect((10_000_000_000...10_600_000_000).contains(first), "\(first)")
    #expect((140_000_000...300_000_000).contains(last - first), "\(last - first)")
  }

  /// BBR over a path with a round trip of 100 ms and more bytes in flight than the bandwidth-delay product.
  private struct Flow {
    var control = Bbr()
    var window = CongestionWindow()
    var delivered: Int64 = 0
    var time: Int64 = 0

    init() {
      control.connected(roundTrip: 100_000_000, window: window.size, tick: 0, delivered: 0)
    }

    /// Runs one round trip and acknowledges this many segments at its end.
    mutating func round(_ count: Int64, inFlight: Int = 10_000, lost: Int = 0) {
      let prior = delivered
      (delivered, time) = (delivered + count, time + 100_000_000)
      var sample = DeliverySample(now: time, delivered: delivered, newly: Int(count), deliveredAt: time)
      (sample.prior, sample.count, sample.interval) = (prior, count, 100_000)
      (sample.roundTrip, sample.smoothed) = (100_000_000, 100_000_000)
      (sample.inFlight, sample.priorInFlight, sample.newlyLost) = (inFlight, inFlight, lost)
      sample.tick = time * TickClock.perSecond / 1_000_000_000
      control.acknowledged(sample, &window)
    }
  }

  @Test(arguments: [([100, 100, 100], 1), ([100, 124, 124], 1), ([100, 125, 125], 2), ([100, 125, 157], 3)])
  func `BBR leaves STARTUP after three rounds without 25 % more bandwidth`(counts: [Int64], more: Int) {
    var flow = Flow()
    for count in counts { flow.round(count) }
    for _ in 0..<more {
      #expect(flow.control.mode == .startup)
      flow.round(counts[2])
    }
    #expect(flow.control.mode == .drain)
  }

  @Test func `BBR measures the round trip for 200 ms after only four segments are in flight`() {
    var flow = Flow()
    for _ in 0..<99 { flow.round(100) }
    // After ten seconds without a smaller round trip.
    while flow.control.mode != .probeRoundTrip { flow.round(100) }
    for _ in 0..<5 { flow.round(5, inFlight: 5) }
    #expect(flow.control.mode == .probeRoundTrip)
    for _ in 0..<3 { flow.round(4, inFlight: 4) }
    #expect(flow.control.mode == .probeRoundTrip)
    flow.round(4, inFlight: 4)
    #expect(flow.control.mode == .probeBandwidth)
  }

  /// With one round trip's packets in flight, the faster rate has not shown what the path can do.
  @Test(arguments: [(0, 1), (1, 3)])
  func `BBR keeps its faster rate until it has more in flight or loses a packet`(lost: Int, rates: Int) {
    var flow = Flow()
    for _ in 0..<40 { flow.round(100, inFlight: 100) }
    var seen: Set<Int64> = []
    for _ in 0..<20 {
      flow.round(100, inFlight: 100, lost: lost)
      seen.insert(flow.control.pacingRate)
    }
    // The faster rate, the slower one that follows, and the usual one.
    #expect(flow.control.mode == .probeBandwidth && seen.count == rates)
  }

  /// The rounds, counted from 1, in which BBR detects a policer with these losses or probes again.
  private func policing(lost: Int64, second: Int64 = 256) -> [Int] {
    var estimate = Bbr.PolicerEstimate()
    var (delivered, missing, events) = (Int64(0), Int64(0), [Int]())
    for round in 1...80 {
      // The first interval ends with the fourth round.
      delivered += round <= 4 ? 256 : second
      missing += lost
      let result = estimate.sample(
        losses: 1, isLimited: false, startsRound: true, isProbing: true, at: Int64(round) * 100_000_000,
        delivered: delivered << 20, lost: missing << 20)
      if result != .nothing { events.append(round) }
    }
    return events
  }

  @Test func `BBR uses a policer's rate for 48 rounds after two intervals with equal rates and 20 % loss`() {
    // BBR probes in round 56 and detects the policer again in round 64.
    #expect(policing(lost: 50) == [8, 56, 64])
    #expect(policing(lost: 49).isEmpty)
    #expect(policing(lost: 60, second: 256 + 32).first == 8)
    #expect(policing(lost: 60, second: 256 + 33).first == 12)
  }

  @Test func `BBR takes two rates of a policer as equal if they differ by at most 500 bytes per second`() {
    // In the kernel's unit, segments per microsecond in 2^-24, the rates are 16, and 21 or 22: 427 or 512 bytes more.
    for (count, isFound) in [(104, true), (105, false)] as [(Int64, Bool)] {
      var estimate = Bbr.PolicerEstimate()
      // Rounds of 20 s: three with one segment per second, then four with `count` segments in 80 s.
      let results = (1...8 as ClosedRange<Int64>).map { round in
        estimate.sample(
          losses: 1, isLimited: false, startsRound: true, isProbing: true, at: round * 20_000_000_000,
          delivered: round <= 4 ? round * 20 : 80 + (round - 4) * count / 4, lost: round * 10)
      }
      #expect(results.contains(.found) == isFound)
    }
  }

  @Test func `BBR remembers a burst of acknowledgements for five to ten rounds`() {
    let bandwidth: Int64 = 1 << 24
    for (before, rounds) in [(0, 10), (4, 6)] {
      var (aggregation, time) = (Bbr.Aggregation(), Int64(0))
      func take(_ count: Int, startsRound: Bool) {
        aggregation.take(count, at: time, bandwidth: bandwidth, window: 1_000, startsRound: startsRound)
      }
      func nextRound() {
        time += 1_000_000_000
        take(0, startsRound: true)
      }
      for _ in 0..<before { nextRound() }
      take(100, startsRound: false)
      for _ in 1..<rounds { nextRound() }
      #expect(aggregation.allowance(bandwidth: bandwidth) == 100)
      nextRound()
      #expect(aggregation.allowance(bandwidth: bandwidth) == 0)
    }
  }

  @Test func `a running maximum forgets values older than its window`() {
    var maximum = RunningMaximum(over: 10)
    maximum.take(100, round: 1)
    for round in 2...11 { maximum.take(Int64(round), round: round) }
    #expect(maximum.value == 100)
    maximum.take(5, round: 12)
    #expect((5...11).contains(maximum.value))
    maximum.take(500, round: 13)
    #expect(maximum.value == 500)
    // All earlier samples are older than the window.
    maximum.take(7, round: 40)
    #expect(maximum.value == 7)
  }

  @Test func `a delivery rate uses the longer of the sending and acknowledging intervals`() {
    var rate = DeliveryRate()
    let millisecond: Int64 = 1_000_000
    rate.sent(0, at: 0, first: 0, packetsOut: 0, delivered: 1)
    rate.sent(1, at: 20 * millisecond, first: 0, packetsOut: 1, delivered: 1)
    func latest(_ number: Int, sentAt: Int64) -> LatestArrival {
      var latest = LatestArrival()
      latest.take(number, SentSegment(end: 0, sentAt: sentAt, delivered: 1, length: 1_448, flags: 0))
      return latest
    }
    let first = rate.take(latest(0, sentAt: 0), delivered: 2, newly: 1, at: 50 * millisecond, shortest: 0)
    #expect(first.count == 1 && first.interval == 50_000)
    // Both arrived after 50 ms, and the second was sent 20 ms after the first: the longer interval counts.
    let second = rate.take(
      latest(1, sentAt: 20 * millisecond), delivered: 3, newly: 1, at: 51 * millisecond, shortest: 0)
    #expect(second.count == 2 && second.interval == 51_000)
    let short = rate.take(
      latest(1, sentAt: 20 * millisecond), delivered: 3, newly: 0, at: 1, shortest: 60 * millisecond)
    #expect(short.interval == -1)
  }
}
