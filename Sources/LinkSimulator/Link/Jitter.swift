/// How the delay of a link varies from packet to packet.
public struct Jitter: Hashable, Sendable {
  /// The shape of the variation.
  public enum Distribution: String, CaseIterable, Hashable, Sendable {
    /// Evenly from -spread to +spread.
    case uniform
    /// Normal with the spread as its standard deviation.
    case normal
    /// Pareto with shape 3, shifted and scaled to mean 0 and the spread as its standard deviation: a long late tail.
    case pareto
    /// A quarter normal and three quarters Pareto, as netem's `paretonormal`.
    case paretoNormal
  }

  /// The shape of the variation.
  public let distribution: Distribution
  /// Half the width (uniform) or the standard deviation (all others), never negative.
  public let spread: Duration
  /// How much a packet's variation repeats the one before it, 0 to 1.
  public let correlation: Probability

  /// Creates a jitter, or nothing when `spread` is negative.
  public init?(_ distribution: Distribution, spread: Duration, correlation: Probability = .zero) {
    guard spread >= .zero else { return nil }
    self.distribution = distribution
    self.spread = spread
    self.correlation = correlation
  }
}
