extension Duration {
  /// Whole nanoseconds, rounded towards zero and clamped to 64 bits (292 years).
  var wholeNanoseconds: Int64 {
    if self >= Duration.nanoseconds(Int64.max) { return .max }
    if self <= Duration.nanoseconds(Int64.min) { return .min }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The duration in whole nanoseconds, rounded up and clamped to ±100 years, so that clocks can add it.
  ///
  /// A simulated clock counts whole nanoseconds. With a fraction it would wake slightly too early, again and again.
  var bounded: Duration {
    let century = Duration.seconds(Int64(3_155_760_000))
    let clamped = min(max(self, .zero - century), century)
    let whole = Duration.nanoseconds(clamped.wholeNanoseconds)
    return whole < clamped ? whole + .nanoseconds(1) : whole
  }

  /// The duration times a positive factor, rounded to a nanosecond; at most `cap`.
  func scaled(by factor: Double, atMost cap: Duration) -> Duration {
    let product = (Double(wholeNanoseconds) * factor).rounded()
    guard product < Double(cap.wholeNanoseconds) else { return cap }
    return .nanoseconds(Int64(product))
  }
}
