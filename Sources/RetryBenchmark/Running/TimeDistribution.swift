import Foundation
import LinkSimulator
import NetworkConditions

/// How long something takes: a constant, or a random time that the seed decides.
///
/// Under one seed, the server needs the same time for the n-th attempt of a request, whichever policy made it.
public enum TimeDistribution: Hashable, Sendable, Codable {
  /// Always this time.
  case constant(Duration)
  /// Exponential with this mean: the remaining time does not depend on the time passed.
  case exponential(mean: Duration)
  /// Log-normal with this median; `spread` is the geometric standard deviation in thousandths.
  ///
  /// About two thirds of the times differ from the median by at most that factor.
  case logNormal(median: Duration, spread: Int)
  /// Pareto (type I), heavy-tailed: at least `least`; `shape` is the exponent in thousandths.
  ///
  /// A time exceeds x times `least` with the probability x^-shape.
  case pareto(least: Duration, shape: Int)
  /// Measured times; each is drawn in proportion to its weight.
  case histogram([Bin])

  /// A measured time, and how often it occurred.
  public struct Bin: Hashable, Sendable, Codable {
    /// The time.
    public let time: Duration
    /// How often the time occurred.
    public let weight: Int

    /// Creates a bin.
    public init(_ time: Duration, weight: Int) {
      (self.time, self.weight) = (time, weight)
    }
  }

  /// A constant time in milliseconds.
  public static func milliseconds(_ count: Int) -> TimeDistribution { .constant(.milliseconds(count)) }
  /// A constant time in seconds.
  public static func seconds(_ count: Int64) -> TimeDistribution { .constant(.seconds(count)) }

  /// Draws a time with the given random number; at most a year.
  func drawn(_ chance: KeyedRandom) -> Duration {
    // This share is never 0 or 1, so its logarithm and its quantile are finite.
    let share = (Double(chance.bits >> 11) + 0.5) * 0x1p-53
    switch self {
    case .constant(let time): return time
    case .exponential(let mean): return Self.scaled(mean, -log(share))
    case .logNormal(let median, let spread):
      return Self.scaled(median, exp(log(Double(spread) / 1_000) * NormalDistribution.quantile(share)))
    case .pareto(let least, let shape): return Self.scaled(least, pow(share, -1_000 / Double(shape)))
    case .histogram(let bins):
      var rest = bins.reduce(UInt64(0)) { $0 + UInt64($1.weight) }.multipliedFullWidth(by: chance.bits).high
      for bin in bins {
        if rest < bin.weight { return bin.time }
        rest -= UInt64(bin.weight)
      }
      return bins.last?.time ?? .zero
    }
  }

  private static func scaled(_ time: Duration, _ factor: Double) -> Duration {
    .nanoseconds(
      Int64(min(Double(time.wholeNanoseconds) * factor, Double(Duration.longest.wholeNanoseconds)).rounded()))
  }

  /// The mean of the distribution; at most a year.
  var mean: Duration {
    switch self {
    case .constant(let time), .exponential(let time): return time
    case .logNormal(let median, let spread):
      let deviation = log(Double(spread) / 1_000)
      return Self.scaled(median, exp(deviation * deviation / 2))
    case .pareto(let least, let shape):
      return shape > 1_000 ? Self.scaled(least, Double(shape) / Double(shape - 1_000)) : .longest
    case .histogram(let bins):
      let sum = bins.reduce(0.0) { $0 + $1.time.inSeconds * Double($1.weight) }
      return .nanoseconds(Int64((sum / max(1, bins.reduce(0.0) { $0 + Double($1.weight) }) * 1e9).rounded()))
    }
  }

  var problem: String? {
    let times: [Duration]
    switch self {
    case .constant(let time): times = [time]
    case .exponential(let mean): times = [mean]
    case .logNormal(let median, let spread):
      if !(1_000...1_000_000).contains(spread) { return "a spread below 1 or above 1000" }
      times = [median]
    case .pareto(let least, let shape):
      if !(100...1_000_000).contains(shape) { return "a shape below 0.1 or above 1000" }
      times = [least]
    case .histogram(let bins):
      if bins.isEmpty || bins.count > 10_000 { return "a histogram of \(bins.count) bins: write 1 to 10000" }
      if bins.contains(where: { !(1...1_000_000_000).contains($0.weight) }) {
        return "a bin with a count below 1 or above 1000000000"
      }
      times = bins.map(\.time)
    }
    return times.contains { $0 < .zero || $0 > .longest } ? "a time below zero or above a year" : nil
  }

  /// The distribution in words, such as `log-normal 20 ms x2.5`.
  public var text: String {
    func decimal(_ thousandths: Int) -> String { DecimalText.of(thousandths, places: 3) }
    switch self {
    case .constant(let time): return RetryReport.time(time)
    case .exponential(let mean): return "exponential \(RetryReport.time(mean))"
    case .logNormal(let median, let spread): return "log-normal \(RetryReport.time(median)) x\(decimal(spread))"
    case .pareto(let least, let shape): return "pareto \(RetryReport.time(least)) ^\(decimal(shape))"
    case .histogram(let bins):
      return "measured " + bins.map { "\(RetryReport.time($0.time)) \($0.weight) times" }.joined(separator: "; ")
    }
  }
}
