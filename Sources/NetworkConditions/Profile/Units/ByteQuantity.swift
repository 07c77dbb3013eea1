/// A number of bytes, from 0 to 10^15.
public struct ByteQuantity: Hashable, Sendable {
  /// The number of bytes.
  public let bytes: Int64

  /// The largest value: 10^15 bytes, so that sums of positions cannot overflow.
  public static let maximum = ByteQuantity(unchecked: 1_000_000_000_000_000)

  /// No bytes.
  public static let zero = ByteQuantity(unchecked: 0)

  private init(unchecked bytes: Int64) {
    self.bytes = bytes
  }

  /// A number of bytes, limited to the range from 0 to ``maximum``.
  public static func bytes(_ count: Int64) -> ByteQuantity {
    ByteQuantity(unchecked: min(max(count, 0), maximum.bytes))
  }

  /// Reads a number of bytes such as `1200 bytes` or `64 KiB`; the units are bytes, B, kB, KiB, MB, MiB, GB and GiB.
  ///
  /// - Throws: an error with a right example, for a missing or unknown unit, a negative number, a fraction of a byte,
  ///   or a number above ``maximum``.
  public init(parsing text: String) throws(ProfileError) {
    bytes = try QuantityText(text, .bytes).count(
      in: [
        "byte": 1, "bytes": 1, "B": 1, "kB": 1_000, "KiB": 1_024, "MB": 1_000_000, "MiB": 1_048_576,
        "GB": 1_000_000_000, "GiB": 1_073_741_824,
      ],
      limit: (Self.maximum.bytes, "1000000 GB"), isExact: true)
  }
}

extension ByteQuantity: CustomStringConvertible {
  /// The number in whole binary units, such as `64 KiB`, or otherwise in bytes.
  public var description: String {
    switch bytes {
    case 1: "1 byte"
    case 1_048_576... where bytes % 1_048_576 == 0: "\(bytes / 1_048_576) MiB"
    case 1_024... where bytes % 1_024 == 0: "\(bytes / 1_024) KiB"
    default: "\(bytes) bytes"
    }
  }
}

extension Int {
  /// Reads a number of packets such as `100 packets`, up to 10 million.
  package init(packets text: String) throws(ProfileError) {
    self.init(
      try QuantityText(text, .packets).count(
        in: ["packet": 1, "packets": 1], limit: (10_000_000, "10000000 packets"), isExact: true))
  }
}
