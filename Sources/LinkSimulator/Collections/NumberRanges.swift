/// An ordered set of disjoint ranges of numbers: received bytes or packets.
struct NumberRanges: Sendable {
  private(set) var stretches: [Range<Int64>] = []

  /// Adds a range; returns whether it contained a new number.
  @discardableResult @inline(__always)
  mutating func insert(_ new: Range<Int64>) -> Bool {
    let last = stretches.count - 1
    // A new range usually extends the last one.
    guard last >= 0, stretches[last].upperBound == new.lowerBound, !new.isEmpty else { return add(new) }
    stretches[last] = Range(uncheckedBounds: (stretches[last].lowerBound, new.upperBound))
    return true
  }

  private mutating func add(_ new: Range<Int64>) -> Bool {
    guard !new.isEmpty else { return false }
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

  /// The end of the last range; 0 without one.
  @inline(__always)
  var last: Int64 { stretches.isEmpty ? 0 : stretches[stretches.count - 1].upperBound }

  /// The end of the range that contains `start`; `start` itself if none does.
  @inline(__always)
  func end(from start: Int64) -> Int64 {
    // Usually no number is missing.
    guard stretches.count == 1 else { return searchEnd(from: start) }
    return stretches[0].contains(start) ? stretches[0].upperBound : start
  }

  private func searchEnd(from start: Int64) -> Int64 {
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].upperBound > start { high = middle } else { low = middle + 1 }
    }
    guard low < stretches.count, stretches[low].lowerBound <= start else { return start }
    return stretches[low].upperBound
  }

  mutating func keep(last count: Int) {
    if stretches.count > count { stretches.removeFirst(stretches.count - count) }
  }
}
