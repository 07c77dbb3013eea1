import Internals

/// A random generator whose numbers depend only on a seed and a key, not on other requests.
///
/// A request takes a generator for each attempt, keyed by the attempt's number, so that thread order cannot shift a
/// draw. The generator is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
public struct RetryRandom: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// Creates the generator of a seed, with an empty key.
  public init(seed: UInt64) {
    state = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
  }

  /// Creates a generator with a new seed each time.
  ///
  /// The system's generator seeds the process's first generator, which seeds the others. In a simulation each is seeded
  /// by the system's generator, whose numbers the simulation decides.
  public static func unpredictable() -> RetryRandom {
    if SimulatedThread.isCurrent { return RetryRandom(seed: .random(in: .min ... .max)) }
    return RetryRandom(seed: process.withLock { $0.next() })
  }
  private static let process = Mutex(RetryRandom(seed: .random(in: .min ... .max)))

  /// Returns the generator whose key has one more part; the result also depends on earlier draws from this generator.
  public func keyed(by part: UInt64) -> RetryRandom {
    var keyed = self
    keyed.state = Self.mix(state ^ (part &* 0xD6E8_FEB8_6659_FD93 &+ 0x9E37_79B9_7F4A_7C15))
    return keyed
  }

  /// Returns the generator whose key has a text as one more part, by the FNV-1a hash of its UTF-8 bytes.
  public func keyed(by text: String) -> RetryRandom {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return keyed(by: hash)
  }

  /// Returns 64 evenly distributed bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// Draws an evenly distributed duration from `low` up to, but not including, `high`, in whole nanoseconds.
  ///
  /// Returns `low` if `high` is not above it. Computes with integers, so that every platform draws the same.
  public mutating func duration(from low: Duration = .zero, to high: Duration) -> Duration {
    let (least, most) = (low.wholeNanoseconds, high.wholeNanoseconds)
    let bits = next()
    guard most > least else { return low }
    let width = UInt64(bitPattern: most &- least)
    return .nanoseconds(least &+ Int64(bitPattern: width.multipliedFullWidth(by: bits).high))
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
