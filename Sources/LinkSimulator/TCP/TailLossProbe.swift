/// The state of the sender's tail loss probe (RFC 8985, section 7).
struct TailLossProbe: Sendable {
  /// The next new segment when the probe was sent; `nil` without an unresolved probe (`tlp_high_seq`).
  private(set) var end: Int?
  /// Whether the probe retransmits a segment (`tlp_retrans`).
  var isCopy = false

  @inline(__always)
  var isOut: Bool { end != nil }

  var isCopyOut: Bool { end != nil && isCopy }

  mutating func sent(upTo next: Int) { end = next }

  mutating func forget() { end = nil }

  /// Processes an acknowledgement; returns whether the probe replaced a lost segment (`tcp_process_tlp_ack`).
  mutating func showsLoss(_ number: Int, _ flags: AcknowledgementFlags) -> Bool {
    guard let end, number >= end else { return false }
    if !isCopy || flags.contains(.duplicateOfProbe) {
      self.end = nil
    } else if number > end {
      return true
    } else if flags.isDisjoint(with: [.advances, .carriesNews, .selective]) {
      self.end = nil
    }
    return false
  }
}
