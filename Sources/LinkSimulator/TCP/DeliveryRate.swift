/// Measures how fast segments are delivered (net/ipv4/tcp_rate.c), for algorithms that ask for it.
///
/// Each segment carries from its sending what had been delivered by then, and when; its acknowledgement gives a rate over
/// the longer of the times that sending and acknowledging took, so that neither a burst of segments nor one of
/// acknowledgements is taken for a fast path (draft-cheng-iccrg-delivery-rate-estimation).
struct DeliveryRate: Sendable {
  /// The state of the delivery that a segment carries with it.
  private struct Stamp {
    /// When the segment was sent that began the window (`tx.first_tx_mstamp`).
    var firstSentAt: Int64 = 0
    /// When something was delivered last (`tx.delivered_mstamp`).
    var deliveredAt: Int64 = 0
    /// How many segments had been delivered (`tx.delivered`).
    var delivered: Int64 = 0
    /// Whether the application had less to send than the path could take.
    var isLimited = false
  }

  /// When the segment was sent that was acknowledged last, of those sent last.
  private var firstSentAt: Int64 = 0
  /// When something was delivered last.
  private(set) var deliveredAt: Int64 = 0
  /// How many segments are to be delivered before samples count again; 0 when they count.
  private var limitedUntil: Int64 = 0
  private var stamps: [Stamp] = []

  /// Whether the application has less to send than the path could take.
  var isLimited: Bool { limitedUntil > 0 }

  /// The application writes while there is room: what follows says nothing about the path (`tcp_rate_check_app_limited`).
  mutating func limited(delivered: Int64, inFlight: Int) {
    limitedUntil = max(1, delivered + Int64(inFlight))
  }

  /// A segment leaves (`tcp_rate_skb_sent`), while so many segments are out, from `first` on.
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

  /// A segment has another number.
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

  /// Takes an acknowledgement (`tcp_rate_gen`) and gives the rate that it shows.
  ///
  /// - Parameters:
  ///   - latest: of the segments that it has brought, the one that was sent last.
  ///   - delivered: how many segments are delivered with it; `newly` of them by it.
  ///   - shortest: the smallest round trip, which no sample may undercut.
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

/// The rate and the round trip that an acknowledgement shows (`struct rate_sample`), and the state of the sender.
struct DeliverySample: Sendable {
  var now: Int64
  /// How many segments are delivered, and how many of them newly.
  var delivered: Int64
  var newly: Int
  /// When something was delivered last.
  var deliveredAt: Int64
  /// How many segments were delivered when the one was sent that was sent last of the new ones; negative for none.
  var prior: Int64 = -1
  /// How many were delivered since then, in so many microseconds; negative where nothing can be said.
  var count: Int64 = -1
  var interval: Int64 = -1
  /// Whether the application had less to send than the path could take.
  var isLimited = false
  /// The round trip, negative when there was none, and the smoothed one.
  var roundTrip: Int64 = -1
  var smoothed: Int64 = 0
  /// How many segments were newly deemed lost, and how many ever.
  var newlyLost = 0
  var lost: Int64 = 0
  /// How many segments are in flight, and were before the acknowledgement.
  var inFlight = 0
  var priorInFlight = 0
  /// The tick of the kernel's clock.
  var tick: Int64 = 0
  var state = Sender.State.open
}
