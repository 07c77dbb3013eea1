extension Duration {
  /// Whole nanoseconds, rounded towards zero; at most what 64 bits hold, which is 292 years.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return seconds < 0 ? .min : .max }
    let (sum, tooMuch) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return tooMuch ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration times a factor above zero, to the nanosecond; no more than `cap`.
  func scaled(by factor: Double, atMost cap: Duration) -> Duration {
    let product = (Double(wholeNanoseconds) * factor).rounded()
    guard product < Double(cap.wholeNanoseconds) else { return cap }
    return .nanoseconds(Int64(product))
  }
}
