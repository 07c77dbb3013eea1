import Testing

@testable import LinkSimulator

struct QuicRoundTripTests {
  @Test func `the probe timeout before any round trip sample is about a second`() {
    // 333 ms and four times half of it (RFC 9002, section 6.2.2).
    #expect(QuicRoundTrip().probeTimeout(isConfirmed: false) == 999_000_000)
    #expect(QuicRoundTrip().probeTimeout(isConfirmed: true) == 1_024_000_000)
  }

  @Test func `the first round trip sample is taken as it is, later ones with weight 1/8`() {
    var roundTrip = QuicRoundTrip()
    roundTrip.add(100_000_000, delay: 0)
    #expect(roundTrip.smoothed == 100_000_000 && roundTrip.variation == 50_000_000)
    roundTrip.add(180_000_000, delay: 0)
    #expect(roundTrip.smoothed == 110_000_000 && roundTrip.variation == 57_500_000)
    #expect(roundTrip.minimum == 100_000_000)
  }

  @Test func `the acknowledgement delay is subtracted from a sample but never below the minimum`() {
    var roundTrip = QuicRoundTrip()
    roundTrip.add(100_000_000, delay: 0)
    roundTrip.add(140_000_000, delay: 40_000_000)
    #expect(roundTrip.smoothed == 100_000_000)
    roundTrip.add(120_000_000, delay: 25_000_000)
    #expect(roundTrip.smoothed == 102_500_000)
  }

  @Test func `a packet counts as lost after 9/8 of the longer of latest and smoothed round trip`() {
    var roundTrip = QuicRoundTrip()
    roundTrip.add(80_000_000, delay: 0)
    #expect(roundTrip.lossDelay(adjusts: false) == 90_000_000)
    roundTrip.add(160_000_000, delay: 0)
    #expect(roundTrip.lossDelay(adjusts: false) == 180_000_000)
  }
}
