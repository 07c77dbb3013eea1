extension Array {
  /// Returns the first index whose element satisfies a condition; `count` if none does.
  ///
  /// A binary search, named as in Swift Algorithms.
  ///
  /// - Parameter belongsInSecondPartition: the condition; after the first element that satisfies it, all must.
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
