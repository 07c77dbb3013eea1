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

  @Test func `a timer of 63 ticks is on the second level of the timer wheel, and one of 62 on the first`() {
    let clock = TickClock(KeyedRandom(seed: 1))
    for tick in 0..<8 as Range<Int64> {
      let now = tick * TickClock.tick
      let begin = clock.ticks(at: now)
      func expiry(_ ticks: Int64) -> Int64 { clock.ticks(at: clock.expiry(after: ticks * TickClock.tick, from: now)) }
      #expect(expiry(62) == begin + 63 && expiry(63) == (begin + 71) / 8 * 8)
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
