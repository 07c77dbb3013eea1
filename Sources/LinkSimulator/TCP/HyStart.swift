/// Ends slow start before the queue overflows, by watching round trips and the spacing of acknowledgements.
///
/// HyStart (Ha and Rhee, "Taming the elephants: new TCP slow start", 2011) as in Linux (tcp_cubic.c: `hystart_update`).
/// It ends slow start at a growing delay, or when a train of acknowledgements has become long.
struct HyStart: Sendable {
  /// The smallest window for which HyStart is active (`hystart_low_window`).
  private static let lowWindow = 16
  /// How many samples of a round precede the delay test (HYSTART_MIN_SAMPLES).
  private static let samples = 8
  /// The gap between acknowledgements that ends a train, in nanoseconds (`hystart_ack_delta_us`).
  ///
  /// The kernel counts a gap of exactly 2 ms as part of the train. Real clocks are not exact to the microsecond: of
  /// gaps around 2 ms, such as two full packets at 12 Mbit/s, half are measured as longer. The first of these ends the
  /// train.
  private static let trainGap: Int64 = 2_000_000

  private var roundStart: Int64 = 0
  private var lastAcknowledgement: Int64 = 0
  /// The segment whose acknowledgement ends the current round.
  private var roundEnd = 0
  private var smallestDelay = Int64.max
  private var sampleCount = 0

  mutating func reset(now: Int64, next: Int) {
    roundStart = now
    lastAcknowledgement = now
    roundEnd = next
    smallestDelay = .max
    sampleCount = 0
  }

  /// Processes an acknowledgement with its round trip, at least 1, in slow start; returns whether to end slow start.
  mutating func update(_ sample: RoundTripSample, delay: Int64, minimumDelay: Int64, window: Int)
    -> Bool
  {
    let now = sample.now
    if sample.first > roundEnd { reset(now: now, next: sample.next) }
    guard window >= Self.lowWindow else { return false }
    var found = false
    if sample.judgesTrains, now - lastAcknowledgement < Self.trainGap {
      lastAcknowledgement = now
      // The limit is half the smallest round trip, since the sender is not paced, plus half of a burst allowance.
      // Below 2 Gbit/s the allowance is 1 ms (`hystart_ack_delay`).
      if now - roundStart > (minimumDelay + 1_000_000) >> 1 { found = true }
    }
    smallestDelay = min(smallestDelay, delay)
    if sampleCount < Self.samples {
      sampleCount += 1
    } else if smallestDelay > minimumDelay + min(max(minimumDelay >> 3, 4_000_000), 16_000_000) {
      found = true
    }
    return found
  }
}
