import Testing

@testable import LinkSimulator

struct DeliveryRateTests {
  @Test func `the delivery rate keeps the times of the oldest segment when its ring grows`() {
    var rate = DeliveryRate()
    for number in 0...64 {
      rate.sent(number, at: 1_000_000, first: 0, packetsOut: number, delivered: 1)
    }
    var latest = LatestArrival()
    latest.take(0, sentAt: 1_000_000, delivered: 1)
    let sample = rate.take(latest, delivered: 2, newly: 1, at: 51_000_000, shortest: 0)
    #expect(sample.interval == 50_000 && sample.count == 1)
  }

  @Test func `the SYN counts as a delivered segment`() {
    var sender = Sender(.cubic, clock: TickClock(KeyedRandom(seed: 1)))
    sender.begin(at: 0, roundTrip: 100_000_000, windowEdge: 64_240, isCongested: false)
    #expect(sender.delivered == 1)
  }

  @Test(arguments: [(50_000_000, 50_000), (50_000_001, -1)] as [(Int64, Int64)])
  func `a delivery faster than the shortest round trip is no sample of the rate`(shortest: Int64, interval: Int64) {
    var rate = DeliveryRate()
    rate.sent(0, at: 0, first: 0, packetsOut: 0, delivered: 0)
    var latest = LatestArrival()
    latest.take(0, sentAt: 0, delivered: 0)
    let sample = rate.take(latest, delivered: 1, newly: 1, at: 50_000_000, shortest: shortest)
    #expect(sample.interval == interval && sample.count == 1 && sample.deliveredAt == 50_000_000)
  }

  @Test func `samples count as limited by the sender until more is delivered than was under way`() {
    var rate = DeliveryRate()
    rate.limited(delivered: 1, inFlight: 2)
    let isLimited = [2, 3, 4].map { (delivered: Int64) in
      _ = rate.take(LatestArrival(), delivered: delivered, newly: 1, at: 0, shortest: 0)
      return rate.isLimited
    }
    #expect(isLimited == [true, true, false])
  }
}
