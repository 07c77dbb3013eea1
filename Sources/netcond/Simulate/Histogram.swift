import Foundation
import LinkSimulator

/// How many of a distribution's samples fall into each of equal stretches of time, which begin and end at round times.
struct Histogram: Equatable {
  /// Where the first stretch begins, in nanoseconds.
  let start: Int64
  /// How long each is, in nanoseconds: 1, 2 or 5 times a power of ten.
  let step: Int64
  let counts: [Int]
  /// How many samples lie behind the last stretch, far from all others.
  let beyond: Int

  /// The time that all stretches take together.
  var end: Int64 { start + step * Int64(counts.count) }

  /// Counts; nothing when there is no sample, or all of them are equal.
  ///
  /// - Parameter most: how many stretches there is room for.
  init?(_ distribution: Distribution, most: Int) {
    let samples = distribution.samples.compactMap { $0?.wholeNanoseconds }.sorted()
    guard let first = samples.first, let greatest = samples.last, first < greatest, most > 0 else { return nil }
    // A few that are far behind all others would press these into one column.
    let usual = samples[(samples.count - 1) * 99 / 100]
    let last = usual > first && (greatest - first) / 3 > usual - first ? usual : greatest
    // So many stretches that a smooth curve would look smooth: twice what Rice's rule gives, for the steps of timers.
    let wanted = min(most, max(8, Int(4 * cbrt(Double(samples.count)))))
    var step = Self.step(atLeast: (last - first) / Int64(wanted) + 1)
    var bounds = Self.bounds(first, last, step)
    while bounds.count > most {
      step = Self.step(atLeast: step + 1)
      bounds = Self.bounds(first, last, step)
    }
    var counts = Array(repeating: 0, count: bounds.count)
    var beyond = 0
    for sample in samples {
      let place = Int((sample - bounds.start) / step)
      if place < counts.count { counts[place] += 1 } else { beyond += 1 }
    }
    self.start = bounds.start
    self.step = step
    self.counts = counts
    self.beyond = beyond
  }

  private static func bounds(_ first: Int64, _ last: Int64, _ step: Int64) -> (start: Int64, count: Int) {
    (first / step * step, Int(last / step - first / step) + 1)
  }

  /// The least round number that is not below `least`.
  private static func step(atLeast least: Int64) -> Int64 {
    var power: Int64 = 1
    while true {
      for digit: Int64 in [1, 2, 5] where digit * power >= least { return digit * power }
      guard power < 1_000_000_000_000_000_000 else { return power }
      power *= 10
    }
  }
}
