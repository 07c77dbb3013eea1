/// Where a link stands in its trace: which opportunity comes next, and what is left of the one that is being used.
///
/// The rules are those of Mahimahi's link queue (src/frontend/link_queue.cc of ravinet/mahimahi): what waits shares an
/// opportunity, a packet that does not fit goes on with the next, and what nobody uses is lost. The trace begins with the
/// network's time and repeats for ever.
struct DeliveryCursor: Sendable {
  private let offsets: [Int64]
  private let period: Int64
  private let bytes: Int64
  /// The place of the next opportunity, and when its round of the trace began.
  private var place = 0
  private var round: Int64 = 0
  /// The opportunity that was used last, and how many bytes are left of it.
  private var time: Int64 = -1
  private var left: Int64 = 0

  /// A cursor from `start` on.
  init(_ trace: DeliveryTrace, from start: Int64) {
    period = trace.period.wholeNanoseconds
    bytes = Int64(trace.bytesPerOpportunity)
    // A delivery that falls on the end of a round falls on the beginning of the next, but there is none before the first.
    let inside = trace.offsets.prefix { $0 < trace.period.wholeNanoseconds }
    place = trace.offsets.count - inside.count
    offsets = [Int64](repeating: 0, count: place) + inside
    if place == offsets.count { advance(by: 0) }
    seek(start)
  }

  /// When the last byte of a packet leaves whose service can start at `start`; `.max` when time ends before.
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

  /// Moves on to the first opportunity that is not used and not before `start`.
  private mutating func seek(_ start: Int64) {
    let begin = start / period * period
    if begin > round { (round, place) = (begin, 0) }
    guard start - round > offsets[place] else { return }
    place = max(place, firstPlace(atOrAfter: start - round))
    if place == offsets.count { advance(by: 0) }
  }

  /// Moves on by a number of opportunities of this round; behind its last follows the first of the next.
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
