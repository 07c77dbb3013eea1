extension BytePosition {
  var rounder: [BytePosition] { [.zero] + (bytes?.rounder ?? []).map { .bytes($0) } }
}

extension Duration {
  package var rounder: [Duration] { wholeNanoseconds.rounder.filter { $0 > 0 }.map { .nanoseconds($0) } }

  /// Durations rounder than this one, and shorter.
  package var rounderAndShorter: [Duration] { rounder.filter { $0 < self } }

  /// A quarter and a half of this duration; empty for durations up to 0.1 s.
  var shorter: [Duration] {
    wholeNanoseconds > 100_000_000 ? [4, 2].map { .nanoseconds(wholeNanoseconds / $0) } : []
  }

  /// Shorter durations to try instead of `length`, shortest first.
  ///
  /// If `length` is `nil` (endless): 1, 10 and 60 s.
  package static func shorter(than length: Duration?) -> [Duration] {
    guard let length else { return [.seconds(1), .seconds(10), .seconds(60)] }
    return length.shorter.isEmpty ? [] : length.shorter + [.nanoseconds(length.wholeNanoseconds / 4 * 3)]
  }
}

extension Int64 {
  /// The number rounded to one, two and three significant digits; empty if no rounding changes it.
  package var rounder: [Int64] {
    var power: Int64 = 1
    while magnitude / power.magnitude >= 10 { power *= 10 }
    var numbers: [Int64] = []
    for unit in [power, power / 10, power / 100] where unit > 1 {
      let half = self < 0 ? -unit / 2 : unit / 2
      let (sum, overflow) = addingReportingOverflow(half)
      let rounded = overflow ? self : sum / unit * unit
      if rounded == self { break }
      if !numbers.contains(rounded) { numbers.append(rounded) }
    }
    return numbers
  }
}
