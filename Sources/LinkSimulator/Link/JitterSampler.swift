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
