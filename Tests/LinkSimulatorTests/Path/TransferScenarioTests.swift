import LinkSimulator
import Testing

/// Against measurements of Linux 6.18's TCP between two network namespaces: the link, what was sent, and the median time.
@Suite struct TransferScenarioTests {
  struct Measured: CustomTestStringConvertible, Sendable {
    var link: (down: Double, up: Double, roundTrip: Int64)
    var method: TransferScenario.Method
    var bytes: Int64
    var queue = 100
    var isWarm = false
    var parallel = 1
    var seconds: Double
    /// How far apart the simulated and the measured time may be, relatively.
    var tolerance = 0.005

    var testDescription: String { "\(method) \(bytes) over \(link.down) kbit/s, queue \(queue)" }
  }

  private static let threeG = (down: 780.0, up: 330.0, roundTrip: Int64(200))
  private static let fast = (down: 50_000.0, up: 10_000.0, roundTrip: Int64(100))
  private static let satellite = (down: 240.0, up: 200.0, roundTrip: Int64(840))

  static let measured = [
    Measured(link: threeG, method: .get, bytes: 1_000, seconds: 0.4211),
    Measured(link: threeG, method: .get, bytes: 16_000, seconds: 0.6436),
    Measured(link: threeG, method: .get, bytes: 100_000, seconds: 1.5363),
    Measured(link: threeG, method: .get, bytes: 1_000_000, seconds: 11.0983),
    Measured(link: threeG, method: .get, bytes: 100_000, isWarm: true, seconds: 1.3484),
    Measured(link: threeG, method: .get, bytes: 100_000, parallel: 6, seconds: 6.8056),
    Measured(link: threeG, method: .put, bytes: 100_000, seconds: 2.9231),
    // How large the receive window is when slow start overshoots hangs on a millisecond of the timestamps' clock: with it
    // the last acknowledgement of a flight goes at once (0.905 s) or after 40 ms (0.886 s).
    Measured(link: fast, method: .get, bytes: 1_000_000, seconds: 0.9062, tolerance: 0.025),
    Measured(link: fast, method: .get, bytes: 1_000_000, queue: 1_000, seconds: 0.8188),
    Measured(link: fast, method: .get, bytes: 5_000_000, seconds: 1.5982),
    Measured(link: fast, method: .put, bytes: 1_000_000, seconds: 1.2573),
    Measured(link: satellite, method: .get, bytes: 100_000, seconds: 5.5496),
    Measured(link: satellite, method: .put, bytes: 1_000_000, seconds: 43.4416),
  ]

  private func schedule(_ link: (down: Double, up: Double, roundTrip: Int64), loss: Double = 0, queue: Int = 100)
    -> ConditionSchedule
  {
    // The apparatus added 0.15 ms to each round trip.
    let delay = Duration.microseconds(link.roundTrip * 500 + 75)
    let model: LossModel = loss > 0 ? .independent(.percent(loss)) : .none
    return ConditionSchedule(
      PathConditions(
        down: LinkConditions(rate: .kilobitsPerSecond(link.down), delay: delay, loss: model, queue: queue),
        up: LinkConditions(rate: .kilobitsPerSecond(link.up), delay: delay, loss: model, queue: queue)))
  }

  @Test(arguments: measured)
  func `without loss a transfer takes the time that the kernel takes, within half a per cent`(measured: Measured) {
    var scenario = TransferScenario(
      measured.method, bytes: measured.bytes, over: schedule(measured.link, queue: measured.queue))
    scenario.isWarm = measured.isWarm
    scenario.parallel = measured.parallel
    let total = scenario.run(seed: 1).total!
    #expect(abs(total / .seconds(1) / measured.seconds - 1) < measured.tolerance)
  }

  @Test func `under loss the median is that of the kernel`() {
    // 61 and 41 samples were measured, the median and the ninth decile are theirs; so few of either kind agree within a few per cent.
    for (bytes, median, late) in [(100_000, 1.5366, 1.7506), (1_000_000, 11.4217, 13.5103)] as [(Int64, Double, Double)]
    {
      let scenario = TransferScenario(.get, bytes: bytes, over: schedule(Self.threeG, loss: 1))
      let totals = (0..<101 as Range<UInt64>).map { scenario.run(seed: $0).total! / .seconds(1) }.sorted()
      #expect(abs(totals[50] / median - 1) < 0.03)
      #expect(abs(totals[90] / late - 1) < 0.08)
    }
  }

  @Test func `a scenario that takes too long has no total`() {
    var scenario = TransferScenario(.get, bytes: 1_000, over: ConditionSchedule(.symmetric(.zero)))
    scenario.limit = .seconds(5)
    #expect(scenario.run(seed: 1).total == nil)
    scenario.limit = .seconds(200)
    #expect(scenario.run(seed: 1).failure == .connectTimedOut)
  }

  @Test func `a connection that stands is secured once, whoever shares it`() throws {
    var scenario = TransferScenario(.get, bytes: 10_000, over: schedule(Self.fast))
    scenario.isSecure = true
    let fresh = scenario.run(seed: 1)
    // One round trip of 100.15 ms each for TCP and for TLS 1.3, and what the packets take to be sent.
    #expect(try #require(fresh.connect) > .microseconds(100_150) && #require(fresh.connect) < .milliseconds(101))
    #expect(try #require(fresh.secure) > .microseconds(200_300) && #require(fresh.secure) < .milliseconds(203))
    scenario.isWarm = true
    let warm = scenario.run(seed: 1)
    #expect(warm.connect == .zero && warm.secure == nil)
    #expect(try #require(warm.total) < .milliseconds(150))
    scenario.isWarm = false
    scenario.version = .http2
    scenario.parallel = 12
    let shared = scenario.run(seed: 1)
    #expect(shared.secure == fresh.secure)
    // 87 segments take four flights from a window of 10, each of a round trip.
    #expect(try #require(shared.total) < .milliseconds(700))
  }

  @Test func `a name is looked up in one round trip before anything else`() throws {
    var scenario = TransferScenario(.get, bytes: 1_000, over: schedule(Self.fast))
    #expect(scenario.run(seed: 1).resolve == nil)
    scenario.needsResolution = true
    let outcome = scenario.run(seed: 1)
    let resolve = try #require(outcome.resolve)
    #expect(resolve > .microseconds(100_150) && resolve < .milliseconds(101))
    #expect(try #require(outcome.connect) > resolve + .microseconds(100_150))
  }

  @Test func `the limit counts from the start of the transfer, not of what warms the connection`() throws {
    var scenario = TransferScenario(.get, bytes: 100_000, over: schedule(Self.threeG))
    scenario.isWarm = true
    let total = try #require(scenario.run(seed: 1).total)
    scenario.limit = total
    #expect(scenario.run(seed: 1).total == total)
    scenario.limit = total - .nanoseconds(1)
    #expect(scenario.run(seed: 1).total == nil)
  }

  @Test func `a scenario of no bytes ends, either way`() {
    for method in TransferScenario.Method.allCases {
      #expect(TransferScenario(method, bytes: 0, over: schedule(Self.threeG)).run(seed: 1).total != nil)
    }
  }
}
