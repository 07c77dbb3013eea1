extension Array {
  /// Returns the first index from which on a condition holds that does not hold before; the count where it never does.
  ///
  /// A binary search, under the name that Swift Algorithms has for it.
  ///
  /// - Parameter belongsInSecondPartition: the condition; once it holds it holds for all that follow.
  @inlinable
  package func partitioningIndex(where belongsInSecondPartition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecondPartition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
