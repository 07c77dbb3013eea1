/// Estimates the round-trip time and the retransmission timeout from samples, in nanoseconds.
///
/// RFC 6298 with Linux's variation (net/ipv4/tcp_input.c, `tcp_rtt_estimator`): the deviation is the greatest seen
/// within a round trip, it falls slowly, a sample below the estimate counts for an eighth only, and the floor of 200 ms
/// lies under the deviation, so that the timeout is never less than the round trip and 200 ms.
struct RoundTripEstimator: Sendable {
  /// The floor of the deviation (TCP_RTO_MIN).
  static let minimum: Int64 = 200_000_000
  /// The timeout before there is a sample (RFC 6298, section 2.1).
  static let initialTimeout: Int64 = 1_000_000_000
  /// The greatest timeout (TCP_RTO_MAX).
  static let maximumTimeout: Int64 = 120_000_000_000

  /// Eight times the smoothed round-trip time; 0 before there is a sample.
  private var smoothedTimes8: Int64 = 0
  /// Four times the mean deviation.
  private var deviationTimes4: Int64 = 0
  private var greatestDeviation: Int64 = 0
  private var variation: Int64 = 0
  /// The segment that ends the round trip in which the greatest deviation is looked for.
  private var roundEnd = 0
  /// The smallest sample (windowed over 300 s in the kernel, over the connection here); `.max` before there is one.
  private(set) var minimum = Int64.max
  /// The timeout, doubled by each expiry, capped.
  private(set) var timeout = Self.initialTimeout

  /// Whether there was a sample.
  var hasSample: Bool { smoothedTimes8 != 0 }
  /// The smoothed round-trip time.
  var smoothed: Int64 { smoothedTimes8 >> 3 }

  /// Takes a sample.
  mutating func add(_ sample: Int64, acknowledged: Int, next: Int) {
    if smoothedTimes8 == 0 {
      smoothedTimes8 = max(1, sample << 3)
      deviationTimes4 = sample << 1
      variation = max(deviationTimes4, Self.minimum)
      greatestDeviation = variation
      roundEnd = next
    } else {
      var error = sample - (smoothedTimes8 >> 3)
      smoothedTimes8 = max(1, smoothedTimes8 + error)
      if error < 0 {
        error = -error - (deviationTimes4 >> 2)
        if error > 0 { error >>= 3 }
      } else {
        error -= deviationTimes4 >> 2
      }
      deviationTimes4 += error
      if deviationTimes4 > greatestDeviation {
        greatestDeviation = deviationTimes4
        variation = max(variation, greatestDeviation)
      }
      if acknowledged > roundEnd {
        if greatestDeviation < variation { variation -= (variation - greatestDeviation) >> 2 }
        roundEnd = next
        greatestDeviation = Self.minimum
      }
    }
    // The kernel keeps the timeout in ticks, rounded up.
    let exact = smoothed + variation
    timeout = min(Self.maximumTimeout, TickClock.roundedUp(exact) * TickClock.tick)
  }

  /// Takes a sample of the smallest round trip.
  mutating func addMinimum(_ sample: Int64) {
    minimum = min(minimum, max(1, sample))
  }

  /// Doubles the timeout (RFC 6298, section 5.5).
  mutating func backOff() {
    timeout = min(Self.maximumTimeout, timeout << 1)
  }
}
