/// How the delay of a link varies from packet to packet.
public struct Jitter: Hashable, Sendable {
  /// The shape of the variation.
  public enum Distribution: String, CaseIterable, Hashable, Sendable {
    /// Evenly from -spread to +spread.
    case uniform
    /// Normal with the spread as its standard deviation.
    case normal
    /// Pareto with shape 3, shifted and scaled to mean 0 and the spread as its standard deviation: a long late tail.
    case pareto
    /// A quarter normal and three quarters Pareto, as netem's `paretonormal`.
    case paretoNormal
  }

  /// The shape of the variation.
  public let distribution: Distribution
  /// Half the width (uniform) or the standard deviation (all others), never negative.
  public let spread: Duration
  /// How much a packet's variation repeats the one before it, 0 to 1.
  public let correlation: Probability

  /// Creates a jitter, or nothing when `spread` is negative.
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
        throw spread.error("jitter has one distribution, and \"\(chosen.distribution.rawValue)\" is given")
      }
      chosen = Jitter(distribution: shape, spread: try spread.duration(), correlation: correlation)
    }
    guard let chosen else { throw reader.error(remedy("this")) }
    return chosen
  }

  private static func remedy(_ shown: String) -> String {
    let names = Distribution.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return "\(shown) names no distribution, one of \(names); write for example {\"normal\": \"8 ms\"}"
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
      memory = sampler.mixed(sampler.sample(key.asked(.jitter)), previous: memory)
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
  /// How the delay varies; `nil` is not at all.
  public var jitter: Jitter? {
    get {
      let jitter = impairments[Jitter.self]
      return jitter == .benign ? nil : jitter
    }
    set { impairments[Jitter.self] = newValue ?? .benign }
  }
}

extension PacketEffect {
  /// The packet arrives so many nanoseconds later than the link's delay says; earlier when negative.
  public static func late(nanoseconds: Int64) -> PacketEffect { PacketEffect(.jitter, nanoseconds) }
}

/// Draws the jitter of a packet from arithmetic that every platform computes alike.
///
/// Only additions, multiplications, divisions and square roots, which IEEE 754 defines to the last bit; the logarithms
/// and powers of a C library differ between platforms.
struct JitterSampler: Sendable {
  private let distribution: Jitter.Distribution
  private let spread: Double
  private let correlation: Double
  private let innovation: Double

  /// Creates a sampler, or nothing for a jitter without spread.
  init?(_ jitter: Jitter) {
    guard jitter.spread > .zero else { return nil }
    distribution = jitter.distribution
    spread = Double(jitter.spread.wholeNanoseconds)
    correlation = jitter.correlation.value
    // A uniform jitter must stay within its bounds; all others keep their standard deviation.
    innovation =
      distribution == .uniform ? 1 - correlation : (1 - correlation * correlation).squareRoot()
  }

  /// A deviation in units of the spread.
  func sample(_ key: KeyedRandom) -> Double {
    switch distribution {
    case .uniform: 2 * key.unit - 1
    case .normal: Self.normal(key)
    case .pareto: Self.pareto(key)
    // The variances of the parts add up to (1 + 9) / 16.
    case .paretoNormal:
      (Self.normal(key) / 4 + Self.pareto(key.keyed(by: 7)) * 3 / 4) / 0.625.squareRoot()
    }
  }

  /// A deviation that repeats a part of the one before.
  func mixed(_ fresh: Double, previous: Double) -> Double {
    correlation == 0 ? fresh : correlation * previous + innovation * fresh
  }

  /// A deviation in nanoseconds, within ±146 years.
  func scaled(_ deviation: Double) -> Int64 {
    Int64(max(-0x1p62, min(0x1p62, deviation * spread)).rounded())
  }

  /// A standard normal deviate: the sum of twelve even ones (Irwin-Hall), exact to the third moment and within ±6.
  private static func normal(_ key: KeyedRandom) -> Double {
    var sum: Int64 = 0
    for part in UInt64(1)...3 {
      let bits = key.keyed(by: part).bits
      sum += Int64(bits & 0xFFFF) + Int64(bits >> 16 & 0xFFFF) + Int64(bits >> 32 & 0xFFFF) + Int64(bits >> 48)
    }
    // Twelve numbers from 0 to 65535, with the mean of 12 * 32767.5.
    return (Double(sum) - 393_210) / 65_536
  }

  /// A Pareto deviate of shape 3, shifted to mean 0 and scaled to standard deviation 1.
  ///
  /// With scale 1 the mean is 3/2 and the variance 3/4; the inverse of its distribution function is u^(-1/3).
  private static func pareto(_ key: KeyedRandom) -> Double {
    let even = Double((key.bits >> 11) + 1) * 0x1p-53
    return (1 / cubeRoot(even) - 1.5) / 0.75.squareRoot()
  }

  /// The cube root of a number from 2^-53 to 1, by Newton's method.
  static func cubeRoot(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    var root = 1.0
    // From above, the steps shrink the root by a third until it is near; 2^-53 needs the most of them.
    for _ in 0..<48 {
      let next = (2 * root + value / (root * root)) / 3
      if next == root { break }
      root = next
    }
    return root
  }
}
