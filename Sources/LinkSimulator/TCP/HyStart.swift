/// Finds the moment to leave slow start before the queue overflows.
///
/// HyStart (Ha and Rhee, "Taming the elephants: new TCP slow start", 2011) as in Linux's `hystart_update`
/// (net/ipv4/tcp_cubic.c): by the spread of a train of acknowledgements and by a growing delay.
struct HyStart: Sendable {
  /// Below this window, nothing is looked for (`hystart_low_window`).
  private static let lowWindow = 16
  /// How many samples of a round are taken before the delay is judged (HYSTART_MIN_SAMPLES).
  private static let samples = 8
  /// The gap between acknowledgements that ends a train (`hystart_ack_delta_us`).
  ///
  /// The kernel takes a gap of 2 ms to the microsecond for part of the train. No clock of a machine reads gaps to the
  /// microsecond: where they are 2 ms long, as those of two full packets at 12 Mbit/s, half of them are read as longer,
  /// and the first of these ends the train.
  private static let trainGap: Int64 = 2_000_000

  private var roundStart: Int64 = 0
  private var lastAcknowledgement: Int64 = 0
  /// The segment whose acknowledgement ends the round.
  private var roundEnd = 0
  private var smallestDelay = Int64.max
  private var sampleCount = 0

  /// Begins a round.
  mutating func reset(now: Int64, next: Int) {
    roundStart = now
    lastAcknowledgement = now
    roundEnd = next
    smallestDelay = .max
    sampleCount = 0
  }

  /// Takes an acknowledgement in slow start and says whether slow start should end.
  ///
  /// - Parameters:
  ///   - delay: the round trip of the sample, at least 1.
  ///   - minimumDelay: the smallest such delay of the connection.
  mutating func update(_ sample: RoundTripSample, delay: Int64, minimumDelay: Int64, window: Int)
    -> Bool
  {
    let now = sample.now
    if sample.first > roundEnd { reset(now: now, next: sample.next) }
    guard window >= Self.lowWindow else { return false }
    var found = false
    if sample.judgesTrains, now - lastAcknowledgement < Self.trainGap {
      lastAcknowledgement = now
      // Half the delay (nothing paces the sender) and half of the allowance for a large burst, which is 1 ms for any
      // rate below 2 Gbit/s (`hystart_ack_delay`).
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
