extension Bandwidth {
  /// Reads a rate such as `780 kbit/s` or `1.6 Mbit/s`; the units are bit/s, kbit/s, Mbit/s and Gbit/s, all decimal.
  ///
  /// - Throws: an error with a right example, for a missing or unknown unit, a negative number, or one above
  ///   ``Bandwidth/maximum``.
  public init(parsing text: String) throws(ProfileError) {
    let bits = try QuantityText(text, .rate).count(
      in: ["bit/s": 1, "kbit/s": 1_000, "Mbit/s": 1_000_000, "Gbit/s": 1_000_000_000],
      limit: (Self.maximum.bitsPerSecond, "100000 Gbit/s"))
    self = Bandwidth(bitsPerSecond: bits) ?? .maximum
  }

  package var formatText: String {
    QuantityText.write(bitsPerSecond, in: [(0, "bit/s"), (3, "kbit/s"), (6, "Mbit/s"), (9, "Gbit/s")])
  }
}
