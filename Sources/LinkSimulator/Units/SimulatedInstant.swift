/// A point in a network's own time: integer nanoseconds since the network began.
///
/// The simulator reads no clock. A driver says what time it is, in real or in virtual time, and because the count is
/// an integer, two runs of one seed agree to the nanosecond on every platform.
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

  /// An instant that no simulation reaches (292 years after the network began).
  public static let distantFuture = SimulatedInstant(nanoseconds: .max)

  /// The last instant that a network's time comes to (146 years): whatever is added to it there, no sum overflows.
  package static let endOfTime = SimulatedInstant(nanoseconds: .max / 2)

  /// The instant that lies `duration` later; the sum saturates instead of overflowing.
  @inlinable
  public func advanced(by duration: Duration) -> SimulatedInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return SimulatedInstant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// How far `other` lies after this instant; the difference saturates instead of overflowing.
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
    // A duration may be longer than its own components can say.
    if self >= .nanoseconds(Int64.max) { return .max }
    if self <= .nanoseconds(Int64.min) { return .min }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The sum in whole nanoseconds; saturates beyond 292 years.
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
