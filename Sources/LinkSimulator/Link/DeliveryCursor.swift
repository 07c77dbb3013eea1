/// A link's position in its trace: the next delivery opportunity, and the bytes left of the current one.
///
/// The rules are those of Mahimahi's link queue (src/frontend/link_queue.cc of ravinet/mahimahi). Waiting packets share
/// an opportunity, and a packet that does not fit continues in the next. Unused bytes are lost. The trace begins at
/// time 0 and repeats for ever.
struct DeliveryCursor: Sendable {
  private let offsets: [Int64]
  private let period: Int64
  private let bytes: Int64
  /// The index of the next opportunity in the trace; `round` is the start of its repetition.
  private var place = 0
  private var round: Int64 = 0
  /// The time of the current opportunity; `left` is its unused bytes.
  private var time: Int64 = -1
  private var left: Int64 = 0

  init(_ trace: DeliveryTrace, from start: Int64) {
    period = trace.period.wholeNanoseconds
    bytes = Int64(trace.bytesPerOpportunity)
    // An opportunity at the period's end belongs to the start of the next round. The first round has none before it.
    let inside = trace.offsets.prefix { $0 < trace.period.wholeNanoseconds }
    place = trace.offsets.count - inside.count
    offsets = [Int64](repeating: 0, count: place) + inside
    if place == offsets.count { advance(by: 0) }
    seek(start)
  }

  /// When the last byte of a packet leaves, if its service can begin at `start`; `.max` for never.
  mutating func departure(ofBytes count: Int64, from start: Int64) -> Int64 {
    if start > time {
      left = 0
      seek(start)
    }
    var missing = count
    while missing > 0 {
      if left == 0 {
        let next = round.saturatingAdd(offsets[place])
        guard next < .max else { return .max }
        (time, left) = (next, bytes)
        advance(by: 1)
      }
      let used = min(left, missing)
      left -= used
      missing -= used
    }
    return max(time, start)
  }

  /// Moves to the first unused opportunity at or after `start`.
  private mutating func seek(_ start: Int64) {
    let begin = start / period * period
    if begin > round { (round, place) = (begin, 0) }
    guard start - round > offsets[place] else { return }
    place = max(place, firstPlace(atOrAfter: start - round))
    if place == offsets.count { advance(by: 0) }
  }

  /// Skips opportunities of this round; after its last one comes the first of the next round.
  private mutating func advance(by count: Int) {
    place += count
    guard place == offsets.count else { return }
    place = 0
    round = round.saturatingAdd(period)
  }

  private func firstPlace(atOrAfter offset: Int64) -> Int {
    var (low, high) = (0, offsets.count)
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
