extension RangeExpression where Bound: FixedWidthInteger {
  /// The seeds of `0..<200` or `0...200`; `nil` if the range has no end, or a bound is not a valid seed.
  package var seeds: Range<UInt64>? {
    switch self {
    case let range as Range<Bound>:
      guard let low = UInt64(exactly: range.lowerBound), let end = UInt64(exactly: range.upperBound) else { return nil }
      return low..<end
    case let range as ClosedRange<Bound>:
      guard let low = UInt64(exactly: range.lowerBound), let last = UInt64(exactly: range.upperBound), last < .max
      else { return nil }
      return low..<last + 1
    default: return nil
    }
  }
}
