/// An impairment: the link's delay varies randomly from packet to packet.
public struct Jitter: Hashable, Sendable {
  /// The probability distribution of a packet's deviation from the delay.
  public enum Distribution: String, CaseIterable, Hashable, Sendable {
    /// Evenly distributed from -spread to +spread.
    case uniform
    /// Normally distributed, with the spread as the standard deviation.
    case normal
    /// A Pareto distribution of shape 3, with mean 0 and the spread as the standard deviation: a long late tail.
    case pareto
    /// A mix of one quarter normal and three quarters Pareto, as netem's `paretonormal`.
    case paretoNormal
  }

  /// The probability distribution of a packet's deviation.
  public let distribution: Distribution
  /// Half the width of a uniform distribution, otherwise the standard deviation; never negative.
  public let spread: Duration
  /// The share of the previous packet's deviation in a packet's own, from 0 to 1.
  public let correlation: Probability

  /// Creates a jitter; `nil` when `spread` is negative.
  public init?(_ distribution: Distribution, spread: Duration, correlation: Probability = .zero) {
    guard spread >= .zero else { return nil }
    self.distribution = distribution
    self.spread = spread
    self.correlation = correlation
  }
}

extension Jitter: Impairment {
  package static let kind = ImpairmentKind.jitter
  package static let benign = Jitter(distribution: .uniform, spread: .zero, correlation: .zero)

  private init(distribution: Distribution, spread: Duration, correlation: Probability) {
    self.distribution = distribution
    self.spread = spread
    self.correlation = correlation
  }

  /// Reads `{ "normal": "8 ms", "correlation": "25 %" }`, or `"none"`.
  package static func read<Reader: SettingReader>(_ reader: Reader) throws(Reader.Failure) -> Jitter {
    if reader.word == "none" { return .benign }
    guard reader.word == nil, reader.bareNumber == nil else { throw reader.error(remedy(reader.shown)) }
    let shapes = Distribution.allCases
    let object = try reader.object(keys: shapes.map(\.rawValue) + ["correlation"], of: "jitter")
    var chosen: Jitter?
    let correlation = try object["correlation"]?.probability() ?? .zero
    for shape in shapes {
      guard let spread = object[shape.rawValue] else { continue }
      if let chosen {
        throw spread.error("jitter has one distribution, and \"\(chosen.distribution.rawValue)\" is already given")
      }
      chosen = Jitter(distribution: shape, spread: try spread.duration(), correlation: correlation)
    }
    guard let chosen else { throw reader.error(remedy("this")) }
    return chosen
  }

  private static func remedy(_ shown: String) -> String {
    let names = Distribution.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return "\(shown) does not name a distribution, one of \(names); write for example {\"normal\": \"8 ms\"}"
  }

  package var setting: Setting {
    if self == .benign { return .word("none") }
    var members = [Setting.Member(distribution.rawValue, .duration(spread))]
    if correlation != .zero { members.append(.init("correlation", .probability(correlation))) }
    return .members(members)
  }

  package var draw: PacketDraw? {
    guard let sampler = JitterSampler(self) else { return nil }
    return { key, memory, fate in
      memory = sampler.mixed(sampler.sample(key.keyed(for: .jitter)), previous: memory)
      fate.deviation = sampler.scaled(memory)
    }
  }

  package static let entry = PacketEffect.Entry.shifts(later: "late", earlier: "early")

  package static func amount(in fate: PacketFate) -> Int64? {
    fate.loss == nil && fate.deviation != 0 ? fate.deviation : nil
  }

  package static func happen(_ amount: Int64, in fate: inout PacketFate) {
    if fate.loss == nil, fate.deviation == 0 { fate.deviation = amount }
  }

  package static func weaker(_ amount: Int64) -> [PacketEffect] {
    amount.magnitude >= 2_000_000 ? [.late(nanoseconds: amount / 2)] : []
  }
}

extension LinkConditions {
  /// The random variation of the delay; `nil` for none.
  public var jitter: Jitter? {
    get {
      let jitter = impairments[Jitter.self]
      return jitter == .benign ? nil : jitter
    }
    set { impairments[Jitter.self] = newValue ?? .benign }
  }
}

extension PacketEffect {
  /// The packet arrives this much later than after the link's delay; earlier when negative.
  public static func late(nanoseconds: Int64) -> PacketEffect { PacketEffect(.jitter, nanoseconds) }
}

/// Draws a packet's jitter with the same result on every platform.
///
/// It uses only additions, multiplications, divisions and square roots, which IEEE 754 defines to the last bit. The
/// logarithms and powers of C libraries differ between platforms.
struct JitterSampler: Sendable {
  private let distribution: Jitter.Distribution
  private let spread: Double
  private let correlation: Double
  private let innovation: Double

  /// Creates a sampler; `nil` for a jitter without spread.
  init?(_ jitter: Jitter) {
    guard jitter.spread > .zero else { return nil }
    distribution = jitter.distribution
    spread = Double(jitter.spread.wholeNanoseconds)
    correlation = jitter.correlation.value
    // A correlated uniform jitter must stay within its bounds; the others keep their standard deviation.
    innovation =
      distribution == .uniform ? 1 - correlation : (1 - correlation * correlation).squareRoot()
  }

  /// Draws a deviation, in units of the spread.
  func sample(_ key: KeyedRandom) -> Double {
    switch distribution {
    case .uniform: 2 * key.unit - 1
    case .normal: Self.normal(key)
    case .pareto: Self.pareto(key)
    // The variance of the weighted sum is (1 + 9) / 16.
    case .paretoNormal:
      (Self.normal(key) / 4 + Self.pareto(key.keyed(by: 7)) * 3 / 4) / 0.625.squareRoot()
    }
  }

  /// Mixes a new deviation with the previous packet's, by the correlation.
  func mixed(_ fresh: Double, previous: Double) -> Double {
    correlation == 0 ? fresh : correlation * previous + innovation * fresh
  }

  /// A deviation in nanoseconds, clamped to ±146 years.
  func scaled(_ deviation: Double) -> Int64 {
    Int64(max(-0x1p62, min(0x1p62, deviation * spread)).rounded())
  }

  /// A standard normal draw: the sum of twelve uniform numbers (Irwin-Hall), exact to the third moment, within ±6.
  private static func normal(_ key: KeyedRandom) -> Double {
    var sum: Int64 = 0
    for part in UInt64(1)...3 {
      let bits = key.keyed(by: part).bits
      sum += Int64(bits & 0xFFFF) + Int64(bits >> 16 & 0xFFFF) + Int64(bits >> 32 & 0xFFFF) + Int64(bits >> 48)
    }
    // Twelve numbers from 0 to 65535 have the mean 12 * 32767.5.
    return (Double(sum) - 393_210) / 65_536
  }

  /// Draws a Pareto deviation of shape 3, shifted to mean 0 and scaled to standard deviation 1.
  ///
  /// At scale 1 the mean is 3/2 and the variance 3/4. The inverse of the distribution function is u^(-1/3).
  private static func pareto(_ key: KeyedRandom) -> Double {
    let even = Double((key.bits >> 11) + 1) * 0x1p-53
    return (1 / cubeRoot(even) - 1.5) / 0.75.squareRoot()
  }

  /// The cube root of a number from 2^-53 to 1, by Newton's method.
  static func cubeRoot(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    var root = 1.0
    // Starting above the root, each step reduces the value by a third until it is near. 2^-53 needs the most steps.
    for _ in 0..<48 {
      let next = (2 * root + value / (root * root)) / 3
      if next == root { break }
      root = next
    }
    return root
  }
}
