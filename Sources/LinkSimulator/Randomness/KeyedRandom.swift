/// A random source as a pure function of a seed and a key, without a state that draws advance.
///
/// So the timing of threads cannot change a draw, and removing one fault leaves all others as they were. The mixing
/// function is SplitMix64's finaliser, applied once for each part of the key (Steele, Lea, Flood: "Fast splittable
/// pseudorandom number generators", 2014; constants of Stafford's variant 13).
public struct KeyedRandom: Hashable, Sendable {
  /// The mixed value of the seed and all parts of the key so far.
  public let state: UInt64

  /// Creates a key from a seed.
  @inlinable
  public init(seed: UInt64) {
    state = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
  }

  @inlinable
  init(state: UInt64) {
    self.state = state
  }

  /// Returns the key extended by a number.
  @inlinable
  public func keyed(by part: UInt64) -> KeyedRandom {
    KeyedRandom(state: Self.mix(state ^ (part &* 0xD6E8_FEB8_6659_FD93 &+ 0x9E37_79B9_7F4A_7C15)))
  }

  /// Returns the key extended by a text, through the FNV-1a hash of its UTF-8 bytes.
  public func keyed(by text: String) -> KeyedRandom {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return keyed(by: hash)
  }

  /// The draw as 64 uniformly distributed bits.
  @inlinable
  public var bits: UInt64 { state }

  /// The draw as a uniform number from 0 up to, but not including, 1, in steps of 2^-53.
  @inlinable
  public var unit: Double {
    Double(state >> 11) * 0x1p-53
  }

  /// The draw as a uniform integer from 0 up to, but not including, `count`, which must be above 0.
  package func number(below count: Int64) -> Int64 {
    Int64(UInt64(count).multipliedFullWidth(by: bits).high)
  }

  /// Draws whether an event of this probability happens.
  @inlinable
  public func happens(_ probability: Probability) -> Bool {
    unit < probability.value
  }

  @inlinable
  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
