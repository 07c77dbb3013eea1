/// The tail loss probe that is out, if one is (RFC 8985, section 7).
struct TailLossProbe: Sendable {
  /// The end of what it covers; `nil` when none is out (`tlp_high_seq`).
  private(set) var end: Int?
  /// Whether it repeats a segment (`tlp_retrans`).
  var isCopy = false

  @inline(__always)
  var isOut: Bool { end != nil }

  var isCopyOut: Bool { end != nil && isCopy }

  mutating func sent(upTo next: Int) { end = next }

  mutating func forget() { end = nil }

  /// Takes an acknowledgement, and says whether the segment that the probe repeats was lost (`tcp_process_tlp_ack`).
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
