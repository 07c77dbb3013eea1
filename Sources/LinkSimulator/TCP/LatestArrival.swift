/// The segment sent last among those that one acknowledgement newly covers (`tcp_rate_skb_delivered`).
struct LatestArrival: Sendable {
  private(set) var number = -1
  private(set) var sentAt: Int64 = 0
  /// The lowest bits of the number of segments delivered when it was sent.
  private(set) var delivered: UInt32 = 0

  var isKnown: Bool { number >= 0 }

  @inline(__always)
  mutating func take(_ number: Int, _ segment: SentSegment) {
    take(number, sentAt: segment.sentAt, delivered: segment.delivered)
  }

  @inline(__always)
  mutating func take(_ number: Int, sentAt: Int64, delivered: UInt32) {
    if sentAt < self.sentAt || (sentAt == self.sentAt && number < self.number) { return }
    self.number = number
    self.sentAt = sentAt
    self.delivered = delivered
  }
}
