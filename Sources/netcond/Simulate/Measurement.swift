import Foundation
import Internals
import NetworkConditions

/// The measured times of a case in seconds; infinity for a run that did not end.
struct Measurement {
  /// All measured times; empty when the file has none.
  let samples: [Double]
  /// The measured median, from the file or from the samples; `nil` when both are missing.
  let median: Double?

  /// The greatest spread of a steady case, from the least to the greatest time, as a share of the median.
  private static let steadiness = 0.03
  /// How far two times may differ and still count as equal: by this share, or by this many seconds.
  private static let slack = (share: 0.02, seconds: 0.002)
  /// The level of significance for the test whether two distributions differ.
  private static let level = 0.01

  /// Reads `samples_s` and the median of `total_s`; both may be missing.
  init(_ fields: FormatObject) throws {
    samples =
      try fields["samples_s"]?.elements(of: "the measured times").map { reader in
        let isNever = reader.value == .null || reader.value == .number("Infinity")
        return isNever ? .infinity : try reader.number(0...TransferCase.longest, "a time in seconds")
      } ?? []
    var median = Self.median(samples)
    if let reader = fields["total_s"] {
      let total = try reader.openObject(of: "what was measured")
      let given = try total.required("median", "write for example \"median\": 1.5363")
      median = given.value == .null ? nil : try given.number(0...TransferCase.longest, "a time in seconds")
    }
    self.median = median == .infinity ? nil : median
  }

  /// Creates a measurement from times; infinity for a run that did not end.
  init(samples: [Double]) {
    self.samples = samples
    let median = Self.median(samples)
    self.median = median == .infinity ? nil : median
  }

  /// Whether the case is steady: its measured times lie within 3 % of their median.
  var repeats: Bool {
    guard let least = samples.min(), let greatest = samples.max(), let median else { return samples.isEmpty }
    return greatest - least <= Self.steadiness * median
  }

  /// Whether a two-sample Kolmogorov-Smirnov test at the 1 % level finds no difference from other times.
  ///
  /// It uses the approximation for small samples of M. A. Stephens, "EDF statistics for goodness of fit and some
  /// comparisons", Journal of the American Statistical Association 69, 1974.
  func resembles(_ others: [Double]) -> Bool {
    guard !samples.isEmpty, !others.isEmpty else { return false }
    let (mine, theirs) = (samples.sorted(), others.sorted())
    var distance = 0.0
    for time in mine + theirs {
      let later = time + max(Self.slack.share * time, Self.slack.seconds)
      distance = max(
        distance, Self.share(mine, upTo: time) - Self.share(theirs, upTo: later),
        Self.share(theirs, upTo: time) - Self.share(mine, upTo: later))
    }
    let (one, other) = (Double(mine.count), Double(theirs.count))
    let size = (one * other / (one + other)).squareRoot()
    let scaled = (size + 0.12 + 0.11 / size) * distance
    return Self.significance(scaled) > Self.level
  }

  /// The share of sorted times that are not later than `time`.
  private static func share(_ sorted: [Double], upTo time: Double) -> Double {
    Double(sorted.partitioningIndex { $0 > time }) / Double(sorted.count)
  }

  /// The probability of a greater distance by chance (Kolmogorov's distribution).
  private static func significance(_ distance: Double) -> Double {
    if distance < 0.2 { return 1 }
    var sum = 0.0
    var sign = 2.0
    for k in 1...100 {
      sum += sign * exp(-2 * Double(k * k) * distance * distance)
      sign = -sign
    }
    return min(1, max(0, sum))
  }

  static func median(_ times: [Double]) -> Double? {
    guard !times.isEmpty else { return nil }
    let sorted = times.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
