/// Measures the rate at which segments are delivered (tcp_rate.c), for algorithms that need it.
///
/// Each sent segment stores how many segments had been delivered, and when. Its acknowledgement yields a rate over the
/// longer of two times: sending and acknowledging. So bursts of segments or acknowledgements do not look like a fast
/// path (draft-cheng-iccrg-delivery-rate-estimation).
struct DeliveryRate: Sendable {
  /// The delivery state that is stored when a segment is sent.
  private struct Stamp {
    /// When the first segment of the sampling interval was sent (`tx.first_tx_mstamp`).
    var firstSentAt: Int64 = 0
    /// When the latest delivery before sending happened (`tx.delivered_mstamp`).
    var deliveredAt: Int64 = 0
    /// How many segments had been delivered at sending (`tx.delivered`).
    var delivered: Int64 = 0
    /// Whether the application, not the window, limited the sender.
    var isLimited = false
  }

  /// When the newest acknowledged segment was sent.
  private var firstSentAt: Int64 = 0
  /// When a segment was last acknowledged.
  private(set) var deliveredAt: Int64 = 0
  /// The delivered count up to which samples are application-limited; 0 when they are not.
  private var limitedUntil: Int64 = 0
  private var stamps: [Stamp] = []

  var isLimited: Bool { limitedUntil > 0 }

  /// Marks segments in flight as application-limited: they do not show the path's rate (`tcp_rate_check_app_limited`).
  mutating func limited(delivered: Int64, inFlight: Int) {
    limitedUntil = max(1, delivered + Int64(inFlight))
  }

  /// Stores the delivery state with a sent segment (`tcp_rate_skb_sent`); `first` is the oldest outstanding one.
  mutating func sent(_ number: Int, at now: Int64, first: Int, packetsOut: Int, delivered: Int64) {
    if packetsOut == 0 {
      firstSentAt = now
      deliveredAt = now
    }
    if number - first >= stamps.count { grow(from: first, to: number) }
    stamps[number & (stamps.count - 1)] = Stamp(
      firstSentAt: firstSentAt, deliveredAt: deliveredAt, delivered: delivered, isLimited: isLimited
    )
  }

  /// Moves a segment's stored state to another segment number.
  mutating func move(_ number: Int, to other: Int) {
    stamps[other & (stamps.count - 1)] = stamps[number & (stamps.count - 1)]
  }

  private mutating func grow(from first: Int, to number: Int) {
    var larger = [Stamp](repeating: Stamp(), count: max(64, stamps.count * 2))
    if !stamps.isEmpty {
      for known in first..<number {
        larger[known & (larger.count - 1)] = stamps[known & (stamps.count - 1)]
      }
    }
    stamps = larger
  }

  /// Processes an acknowledgement and returns its rate sample (`tcp_rate_gen`).
  ///
  /// - Parameters:
  ///   - latest: the segment sent last among the newly acknowledged ones.
  ///   - delivered: all segments delivered so far, of which `newly` by this acknowledgement.
  ///   - shortest: the smallest round trip; a shorter interval makes the sample invalid.
  mutating func take(
    _ latest: LatestArrival, delivered: Int64, newly: Int, at now: Int64, shortest: Int64
  ) -> DeliverySample {
    if isLimited, delivered > limitedUntil { limitedUntil = 0 }
    if newly > 0 { deliveredAt = now }
    var sample = DeliverySample(
      now: now, delivered: delivered, newly: newly, deliveredAt: deliveredAt)
    guard latest.isKnown else { return sample }
    let stamp = stamps[latest.number & (stamps.count - 1)]
    firstSentAt = latest.sentAt
    sample.prior = stamp.delivered
    sample.isLimited = stamp.isLimited
    sample.count = delivered - stamp.delivered
    let interval = max(latest.sentAt - stamp.firstSentAt, now - stamp.deliveredAt)
    sample.interval = interval < shortest ? -1 : interval / 1_000
    return sample
  }
}

/// The rate and round trip of one acknowledgement (`struct rate_sample`), with the sender's state.
struct DeliverySample: Sendable {
  var now: Int64
  /// How many segments have been delivered in total; `newly` counts those of this acknowledgement.
  var delivered: Int64
  var newly: Int
  /// When a segment was last acknowledged.
  var deliveredAt: Int64
  /// The delivered count when the newest acknowledged segment was sent; negative for none.
  var prior: Int64 = -1
  /// How many segments were delivered in `interval` microseconds; negative for an invalid sample.
  var count: Int64 = -1
  var interval: Int64 = -1
  /// Whether the application, not the window, limited the sender.
  var isLimited = false
  /// The round trip in nanoseconds, negative for none; `smoothed` is its average.
  var roundTrip: Int64 = -1
  var smoothed: Int64 = 0
  /// How many segments were newly marked as lost; `lost` counts all ever.
  var newlyLost = 0
  var lost: Int64 = 0
  /// How many segments are in flight; `priorInFlight` counts those before the acknowledgement.
  var inFlight = 0
  var priorInFlight = 0
  var tick: Int64 = 0
  var state = Sender.State.open
}
