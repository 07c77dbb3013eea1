/// Estimates the round trip and the retransmission timeout from samples, in nanoseconds.
///
/// RFC 6298 with Linux's variations (tcp_input.c: `tcp_rtt_estimator`). The deviation is the greatest within a round
/// trip and falls slowly. A sample below the estimate counts only for an eighth. The floor of 200 ms applies to the
/// deviation, so the timeout is at least the round trip plus 200 ms.
struct RoundTripEstimator: Sendable {
  /// The smallest deviation in nanoseconds (TCP_RTO_MIN).
  static let minimum: Int64 = 200_000_000
  /// The timeout before the first sample, in nanoseconds (RFC 6298, section 2.1).
  static let initialTimeout: Int64 = 1_000_000_000
  /// The largest timeout in nanoseconds (TCP_RTO_MAX).
  static let maximumTimeout: Int64 = 120_000_000_000

  /// Eight times the smoothed round trip; 0 before the first sample.
  private var smoothedTimes8: Int64 = 0
  /// Four times the mean deviation of the round trip.
  private var deviationTimes4: Int64 = 0
  private var greatestDeviation: Int64 = 0
  private var variation: Int64 = 0
  /// The segment whose acknowledgement ends this round trip, and with it the search for the greatest deviation.
  private var roundEnd = 0
  /// The smallest sample of the connection, `.max` before the first; the kernel looks back 300 s only.
  private(set) var minimum = Int64.max
  /// The retransmission timeout; each expiry doubles it, up to the maximum.
  private(set) var timeout = Self.initialTimeout

  var hasSample: Bool { smoothedTimes8 != 0 }
  /// The smoothed round trip in nanoseconds.
  var smoothed: Int64 { smoothedTimes8 >> 3 }

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
        variation -= (variation - greatestDeviation) >> 2
        roundEnd = next
        greatestDeviation = Self.minimum
      }
    }
    // The kernel keeps the timeout in ticks, rounded up.
    let exact = smoothed + variation
    timeout = min(Self.maximumTimeout, TickClock.roundedUp(exact) * TickClock.tick)
  }

  mutating func addMinimum(_ sample: Int64) {
    minimum = min(minimum, max(1, sample))
  }

  /// Doubles the timeout (RFC 6298, section 5.5).
  mutating func backOff() {
    timeout = min(Self.maximumTimeout, timeout << 1)
  }
}
