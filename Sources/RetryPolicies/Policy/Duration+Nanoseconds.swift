extension Duration {
  /// Whole nanoseconds, rounded towards zero; at most what 64 bits hold, which is 292 years.
  var wholeNanoseconds: Int64 {
    if self >= Duration.nanoseconds(Int64.max) { return .max }
    if self <= Duration.nanoseconds(Int64.min) { return .min }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The same in seconds.
  var seconds: Double { Double(wholeNanoseconds) / 1e9 }

  /// In whole nanoseconds, rounded up, and clamped to 100 years either way: what clocks can add and wait for.
  ///
  /// A simulated clock knows whole nanoseconds. It would wake a little too early for a part of one, again and again.
  var bounded: Duration {
    let century = Duration.seconds(Int64(3_155_760_000))
    let clamped = min(max(self, .zero - century), century)
    let whole = Duration.nanoseconds(clamped.wholeNanoseconds)
    return whole < clamped ? whole + .nanoseconds(1) : whole
  }

  /// The duration times a factor above zero, to the nanosecond; no more than `cap`.
  func scaled(by factor: Double, atMost cap: Duration) -> Duration {
    let product = (Double(wholeNanoseconds) * factor).rounded()
    guard product < Double(cap.wholeNanoseconds) else { return cap }
    return .nanoseconds(Int64(product))
  }
}
