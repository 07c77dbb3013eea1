/// A number of packets, from 0 to 10 million.
public struct PacketQuantity: Hashable, Sendable {
  /// The number of packets.
  public let packets: Int

  /// Reads a number of packets such as `100 packets`.
  ///
  /// - Throws: an error with a right example, for a missing or unknown unit, a negative number, a fraction of a packet,
  ///   or more than 10 million.
  public init(parsing text: String) throws(ProfileError) {
    packets = Int(
      try QuantityText(text, .packets).count(
        in: ["packet": 1, "packets": 1], limit: (10_000_000, "10000000 packets"), isExact: true))
  }
}
