import NetworkConditions

/// The durations of many runs, in the order of their seeds; `nil` for a run that did not end.
///
/// For percentiles a run that did not end counts as later than all others. Minimum, maximum and mean leave it out.
struct Distribution: Equatable {
  let samples: [Duration?]
  /// The times that exist, in whole nanoseconds, in ascending order.
  private let sorted: [Int64]

  init(_ samples: [Duration?]) {
    self.samples = samples
    sorted = samples.compactMap { $0?.wholeNanoseconds }.sorted()
  }

  var count: Int { sorted.count }
  var least: Duration? { sorted.first.map { .nanoseconds($0) } }
  var greatest: Duration? { sorted.last.map { .nanoseconds($0) } }

  /// The mean, to the nanosecond.
  var mean: Duration? {
    guard !sorted.isEmpty else { return nil }
    return .nanoseconds(Int64(sorted.reduce(Int128(0)) { $0 + Int128($1) } / Int128(sorted.count)))
  }

  /// The median; of an even number, the mean of the two in the middle.
  var median: Duration? {
    let middle = samples.count / 2
    guard middle < sorted.count else { return nil }
    if samples.count % 2 == 1 { return .nanoseconds(sorted[middle]) }
    let (low, high) = (sorted[middle - 1], sorted[middle])
    return .nanoseconds(low + (high - low) / 2)
  }

  /// The smallest time such that more than `percent` % of all times are no longer than it; of 200 times, p90 is the
  /// 181st.
  func percentile(_ percent: Int) -> Duration? {
    let place = samples.count * percent / 100
    return sorted.indices.contains(place) ? .nanoseconds(sorted[place]) : nil
  }

  var figures: [(name: String, value: Duration?)] {
    [
      ("min", least), ("p10", percentile(10)), ("median", median), ("p90", percentile(90)), ("p99", percentile(99)),
      ("max", greatest), ("mean", mean),
    ]
  }

  var json: JSON {
    .members(figures.map { ($0.name, JSON(seconds: $0.value)) })
  }
}
