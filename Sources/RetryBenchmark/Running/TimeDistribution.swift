import Foundation
import NetworkConditions

/// How long something takes: always the same, or drawn by the seed and by what it decides about.
///
/// Under one seed the n-th attempt of a request takes the server as long with every policy.
public enum TimeDistribution: Hashable, Sendable, Codable {
  /// Always so long.
  case constant(Duration)
  /// Exponential with this mean: what takes no account of how long it took already.
  case exponential(mean: Duration)
  /// Log-normal: half take no longer than the median; `spread` thousandths is by what two thirds differ from it at most, as a
  /// factor (the geometric standard deviation).
  case logNormal(median: Duration, spread: Int)
  /// Heavy-tailed (Pareto, type I): at least so long, and longer than x times that with the probability x^-shape; `shape` is in
  /// thousandths.
  case pareto(least: Duration, shape: Int)
  /// As measured: each time as often as its weight says.
  case histogram([Bin])

  /// A time that was measured so often.
  public struct Bin: Hashable, Sendable, Codable {
    /// The time.
    public let time: Duration
    /// How often.
    public let weight: Int

    /// Creates a bin.
    public init(_ time: Duration, weight: Int) {
      (self.time, self.weight) = (time, weight)
    }
  }

  /// Always so many milliseconds.
  public static func milliseconds(_ count: Int) -> TimeDistribution { .constant(.milliseconds(count)) }
  /// Always so many seconds.
  public static func seconds(_ count: Int64) -> TimeDistribution { .constant(.seconds(count)) }

  /// The time that is drawn by chance; at most a year.
  func drawn(_ chance: KeyedRandom) -> Duration {
    // Never 0, and never 1.
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

  /// Its mean; at most a year.
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

  /// The reason why it is impossible, in a sentence; `nil` when there is none.
  var problem: String? {
    let times: [Duration]
    switch self {
    case .constant(let time): times = [time]
    case .exponential(let mean): times = [mean]
    case .logNormal(let median, let spread):
      if !(1_000...1_000_000).contains(spread) { return "a spread of less than 1 or more than 1000" }
      times = [median]
    case .pareto(let least, let shape):
      if !(100...1_000_000).contains(shape) { return "a shape of less than 0.1 or more than 1000" }
      times = [least]
    case .histogram(let bins):
      if bins.isEmpty || bins.count > 10_000 { return "a histogram of \(bins.count) bins: write 1 to 10000" }
      if bins.contains(where: { !(1...1_000_000_000).contains($0.weight) }) { return "a bin of less than once" }
      times = bins.map(\.time)
    }
    return times.contains { $0 < .zero || $0 > .longest } ? "a time of less than nothing or more than a year" : nil
  }

  /// The distribution in words, such as `log-normal 20 ms x2.5`.
  public var text: String {
    func decimal(_ thousandths: Int) -> String {
      let text = String(format: "%.3f", Double(thousandths) / 1_000)
      return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
    }
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
