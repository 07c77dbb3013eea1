/// Disjoint stretches of numbers, in order: bytes or packets that have arrived.
struct NumberRanges: Sendable {
  private(set) var stretches: [Range<Int64>] = []

  /// Adds a stretch; whether anything of it is new.
  @discardableResult
  mutating func insert(_ new: Range<Int64>) -> Bool {
    guard !new.isEmpty else { return false }
    let last = stretches.count - 1
    if last >= 0, stretches[last].upperBound == new.lowerBound {
      stretches[last] = stretches[last].lowerBound..<new.upperBound
      return true
    }
    // What comes mostly joins the last stretch.
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

  /// The end of the stretch that a number lies in; the number itself where it lies in none.
  func end(from start: Int64) -> Int64 {
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].upperBound > start { high = middle } else { low = middle + 1 }
    }
    guard low < stretches.count, stretches[low].lowerBound <= start else { return start }
    return stretches[low].upperBound
  }

  /// Forgets all but the last stretches.
  mutating func keep(last count: Int) {
    if stretches.count > count { stretches.removeFirst(stretches.count - count) }
  }
}
