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
}
