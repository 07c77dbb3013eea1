import LinkSimulator
import Testing
import Thoroughness

/// Properties of every transfer over every link.
struct TransferPropertyTests {
  private struct Case {
    var scenario: TransferScenario
    var rate: Int64
    var delay: Int64
  }

  private func scenario(_ seed: UInt64) -> Case {
    var random = TestRandom(seed)
    let rates: [Int64] = [64_000, 330_000, 780_000, 5_000_000, 50_000_000]
    let rate = rates[Int(random.next(0..<5))]
    let delay = random.next(0..<150) * 1_000_000
    let loss = random.next(0..<3) == 0 ? 0 : Double(random.next(1..<6))
    let jitter =
      random.next(0..<3) == 0 ? Jitter(.normal, spread: .nanoseconds(max(1, delay / 10))) : nil
    func link(_ rate: Int64) -> LinkConditions {
      LinkConditions(
        rate: Bandwidth(bitsPerSecond: rate)!, delay: .nanoseconds(delay), jitter: jitter,
        loss: loss > 0 ? .independent(.percent(loss)) : .none, queue: Int(random.next(3..<120)),
        reorders: random.next(0..<2) == 0)
    }
    var scenario = TransferScenario(
      random.next(0..<2) == 0 ? .get : .put, bytes: random.next(1..<300_000),
      over: ConditionSchedule(PathConditions(down: link(rate), up: link(rate))))
    scenario.configuration.congestionControl = random.next(0..<2) == 0 ? .cubic : .reno
    scenario.parallel = Int(random.next(1..<4))
    scenario.isSecure = random.next(0..<2) == 0
    scenario.version = random.next(0..<2) == 0 ? .http1 : .http2
    scenario.limit = .seconds(100_000)
    // Jitter is symmetric about the delay; without it nothing arrives before the delay has passed.
    return Case(scenario: scenario, rate: rate, delay: jitter == nil ? delay : 0)
  }

  @Test(arguments: Thoroughness.cases(20, of: 0..<150))
  func `a random transfer ends, takes at least its minimum time and is repeatable`(seed: UInt64) throws {
    let random = scenario(seed)
    let outcome = random.scenario.run(seed: seed)
    #expect(outcome.failure == nil)
    // A sender that waits for space or a full burst must be woken, or the transfer never ends.
    let total = try #require(outcome.total)
    // The least time: one round trip to connect, one for request and response, and the serialisation of all bodies.
    let bits = random.scenario.bytes * 8 * Int64(random.scenario.parallel)
    #expect(total >= .nanoseconds(4 * random.delay) + .nanoseconds(bits * 1_000_000_000 / random.rate))
    // The packets of the bodies have headers too.
    let carried = random.scenario.method == .get ? outcome.down.bytes : outcome.up.bytes
    #expect(carried > random.scenario.bytes * Int64(random.scenario.parallel))
    #expect(random.scenario.run(seed: seed) == outcome)
  }
}
