import Testing

@testable import LinkSimulator

struct AcknowledgementPacingTests {
  private static let clock = TickClock(KeyedRandom(seed: 1))
  private static let milli: Int64 = 1_000_000

  /// Smoothed round trip, retransmission timeout and the resulting acknowledgement delay, in milliseconds.
  @Test(
    arguments: [(0, 300, 80), (60, 300, 60), (20, 300, 40), (200, 300, 80), (0, 50, 50)] as [(Int64, Int64, Int64)])
  func `an acknowledgement delay doubles after it expires, up to the round trip and the retransmission timeout`(
    smoothed: Int64, timeout: Int64, delay: Int64
  ) {
    var pacing = AcknowledgementPacing()
    func isNow(at now: Int64, smoothed: Int64) -> Bool {
      pacing.decide(
        unacknowledged: 1_448, hasHoles: false, next: 1, now: now * Self.milli, timeout: timeout * Self.milli,
        smoothed: smoothed * Self.milli, roundTrip: 0, clock: Self.clock)
    }
    func sent() {
      pacing.isScheduled = true
      pacing.acknowledgementSent(next: 1, bytes: 1_448)
    }
    pacing.arrived(length: 1_448, pushes: false, at: 0, timeout: timeout * Self.milli, offered: 0)
    // The first two acknowledgements are quick.
    for _ in 0..<2 {
      #expect(isNow(at: 0, smoothed: 0))
      sent()
    }
    #expect(!isNow(at: 0, smoothed: 0) && pacing.deadline == Self.clock.expiry(after: 40 * Self.milli, from: 0))
    pacing.isScheduled = true
    let fires = pacing.timerFired(at: pacing.deadline, timeout: timeout * Self.milli)
    #expect(fires)
    sent()
    #expect(!isNow(at: 1_000, smoothed: smoothed))
    #expect(pacing.deadline == Self.clock.expiry(after: delay * Self.milli, from: 1_000 * Self.milli))
  }
}
