import Testing

@testable import LinkSimulator

struct TimerTests {
  @Test func `a timer never fires early, and at most one step of its timer wheel level late`() {
    for seed in 0..<50 as Range<UInt64> {
      let clock = TickClock(KeyedRandom(seed: seed))
      var random = TestRandom(seed)
      for (length, slack) in [(40_000_000, 8), (200_000_000, 8), (1_000_000_000, 36), (3_000_000_000, 260)]
        as [(Int64, Int64)]
      {
        let now = random.next(0..<10_000_000_000)
        let late = clock.expiry(after: length, from: now) - now - length
        #expect(late >= 0 && late <= slack * 1_000_000)
      }
    }
  }

  @Test func `a timer with the longest duration does not overflow`() {
    let clock = TickClock(KeyedRandom(seed: 1))
    #expect(clock.expiry(after: .max, from: .max) > 0)
  }

  @Test func `the retransmission timeout starts at three round trips and falls to one round trip plus 200 ms`() {
    var estimator = RoundTripEstimator()
    #expect(estimator.timeout == 1_000_000_000)
    estimator.add(200_000_000, acknowledged: 0, next: 10)
    #expect(estimator.timeout == 600_000_000)
    for number in 1..<200 {
      estimator.add(200_000_000, acknowledged: number * 10, next: number * 10 + 5)
    }
    // The variation approaches its floor from above, and the timeout is rounded up to a tick of 4 ms.
    #expect(estimator.timeout == 404_000_000)
    estimator.backOff()
    #expect(estimator.timeout == 808_000_000)
    for _ in 0..<20 { estimator.backOff() }
    #expect(estimator.timeout == 120_000_000_000)
  }
}
