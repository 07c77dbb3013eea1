/// An ordered set of disjoint ranges of numbers: received bytes or packets.
struct NumberRanges: Sendable {
  private(set) var stretches: [Range<Int64>] = []

  /// Adds a range; returns whether it contained a new number.
  @discardableResult
  mutating func insert(_ new: Range<Int64>) -> Bool {
    guard !new.isEmpty else { return false }
    let last = stretches.count - 1
    if last >= 0, stretches[last].upperBound == new.lowerBound {
      stretches[last] = stretches[last].lowerBound..<new.upperBound
      return true
    }
    // A new range usually extends the last one.
    var place = stretches.count
    while place > 0, stretches[place - 1].lowerBound > new.lowerBound { place -= 1 }
    var joined = new
    if place > 0, stretches[place - 1].upperBound >= new.lowerBound {
      if stretches[place - 1].upperBound >= new.upperBound { return false }
      place -= 1
      joined = stretches[place].lowerBound..<new.upperBound
    }
    var end = place
    while end < stretches.count, stretches[end].lowerBound <= joined.upperBound {
      joined = joined.lowerBound..<max(joined.upperBound, stretches[end].upperBound)
      end += 1
    }
    if end == place + 1 {
      stretches[place] = joined
    } else {
      stretches.replaceSubrange(place..<end, with: CollectionOfOne(joined))
    }
    return true
  }

  /// The end of the range that contains `start`; `start` itself if none does.
  func end(from start: Int64) -> Int64 {
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].upperBound > start { high = middle } else { low = middle + 1 }
    }
    guard low < stretches.count, stretches[low].lowerBound <= start else { return start }
    return stretches[low].upperBound
  }

  /// Keeps only the last `count` ranges.
  mutating func keep(last count: Int) {
    if stretches.count > count { stretches.removeFirst(stretches.count - count) }
  }
}
