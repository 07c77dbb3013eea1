/// A point in a network's time: integer nanoseconds since the network began.
///
/// The simulator reads no clock: a driver supplies real or virtual time. Integers make two runs of one seed agree to
/// the nanosecond on every platform.
public struct SimulatedInstant: InstantProtocol, Hashable, Sendable {
  /// Nanoseconds since the network began.
  public var nanoseconds: Int64

  /// Creates the instant that lies `nanoseconds` after the network began.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The instant at which the network began.
  public static let zero = SimulatedInstant(nanoseconds: 0)

  /// An instant that no simulation reaches: 292 years after the network began.
  public static let distantFuture = SimulatedInstant(nanoseconds: .max)

  /// The latest time of a network, 146 years; sums with it do not overflow.
  package static let endOfTime = SimulatedInstant(nanoseconds: .max / 2)

  /// Returns the instant `duration` later; the sum saturates instead of overflowing.
  @inlinable
  public func advanced(by duration: Duration) -> SimulatedInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return SimulatedInstant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// Returns the time from this instant to `other`; the difference saturates instead of overflowing.
  @inlinable
  public func duration(to other: SimulatedInstant) -> Duration {
    let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    return .nanoseconds(overflow ? (other < self ? .min : .max) : difference)
  }

  /// Whether `lhs` is earlier than `rhs`.
  @inlinable
  public static func < (lhs: SimulatedInstant, rhs: SimulatedInstant) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }
}

extension SimulatedInstant: CustomStringConvertible {
  /// The instant in seconds with microseconds, such as `12.000350 s`.
  public var description: String {
    "\(nanoseconds < 0 ? "-" : "")\(DecimalText.of(nanoseconds.magnitude / 1_000, places: 6, keepsZeros: true)) s"
  }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded towards zero; saturates beyond 292 years.
  @inlinable
  public var wholeNanoseconds: Int64 {
    // `Duration` can hold values whose components overflow.
    if self >= .nanoseconds(Int64.max) { return .max }
    if self <= .nanoseconds(Int64.min) { return .min }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Returns the sum in whole nanoseconds; it saturates beyond 292 years.
  package func saturatingAdd(_ other: Duration) -> Duration {
    .nanoseconds(wholeNanoseconds.saturatingAdd(other.wholeNanoseconds))
  }

  /// The duration in whole seconds, rounded up, as `Retry-After` counts; saturates beyond 292 billion years.
  package var secondsRoundedUp: Int64 {
    guard self < .seconds(Int64.max) else { return .max }
    let (seconds, rest) = components
    return rest > 0 ? seconds + 1 : seconds
  }
}
