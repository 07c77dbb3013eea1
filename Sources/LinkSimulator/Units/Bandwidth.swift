/// A link's rate in bits per second, counting IP packets with their headers; units are decimal.
///
/// ``zero`` is a link that carries nothing. An optional `Bandwidth` is `nil` for an unlimited link.
public struct Bandwidth: Hashable, Comparable, Sendable {
  /// Bits per second, from 0 to ``maximum``.
  public let bitsPerSecond: Int64

  /// The largest rate: 100 Tbit/s, far above any access link.
  public static let maximum = Bandwidth(unchecked: 100_000_000_000_000)

  /// The rate of a link that carries nothing.
  public static let zero = Bandwidth(unchecked: 0)

  private init(unchecked bitsPerSecond: Int64) {
    self.bitsPerSecond = bitsPerSecond
  }

  /// Creates a rate; `nil` when the value is negative or above ``maximum``.
  public init?(bitsPerSecond: Int64) {
    guard (0...Self.maximum.bitsPerSecond).contains(bitsPerSecond) else { return nil }
    self.bitsPerSecond = bitsPerSecond
  }

  /// Creates a rate in decimal kilobits per second, clamped to 0...``maximum``.
  public static func kilobitsPerSecond(_ value: Double) -> Bandwidth {
    clamping(value * 1_000)
  }

  /// Creates a rate in decimal megabits per second, clamped to 0...``maximum``.
  public static func megabitsPerSecond(_ value: Double) -> Bandwidth {
    clamping(value * 1_000_000)
  }

  private static func clamping(_ bits: Double) -> Bandwidth {
    guard bits > 0 else { return .zero }
    let greatest = Double(maximum.bitsPerSecond)
    return Bandwidth(unchecked: Int64(min(bits.rounded(), greatest)))
  }

  /// Whether `lhs` is slower than `rhs`.
  public static func < (lhs: Bandwidth, rhs: Bandwidth) -> Bool {
    lhs.bitsPerSecond < rhs.bitsPerSecond
  }
}

extension Bandwidth: CustomStringConvertible {
  /// The rate in the largest unit that keeps it above 1, such as `780 kbit/s` or `1.6 Mbit/s`.
  public var description: String {
    let bits = Double(bitsPerSecond)
    let (value, unit) =
      switch bitsPerSecond {
      case 1_000_000_000...: (bits / 1e9, "Gbit/s")
      case 1_000_000...: (bits / 1e6, "Mbit/s")
      case 1_000...: (bits / 1e3, "kbit/s")
      default: (bits, "bit/s")
      }
    return "\(value.shortDescription) \(unit)"
  }
}
