extension Duration {
  /// Reads a duration such as `100 ms` or `1.5 s`; the units are us, ms, s, min and h.
  ///
  /// - Throws: an error with a right example, for a missing or unknown unit, a negative number, or one above 8760 h (a
  ///   year). Sums of longer times could overflow.
  public init(parsing text: String) throws(ProfileError) {
    let nanoseconds = try QuantityText(text, .duration).count(
      in: [
        "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000, "h": 3_600_000_000_000,
      ],
      limit: (Self.longest.wholeNanoseconds, "8760 h"))
    self = .nanoseconds(nanoseconds)
  }

  /// The longest duration of the profile format: a year.
  package static let longest = Duration.seconds(8_760 * 3_600)

  package var formatText: String {
    wholeNanoseconds == 0
      ? "0 ms" : QuantityText.write(wholeNanoseconds, in: [(3, "us"), (6, "ms"), (9, "s")])
  }
}
