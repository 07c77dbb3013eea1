/// A policy under other rules; everything else stays its own.
public struct ModifiedPolicy<Base: RetryPolicy>: WrappingPolicy {
  /// The policy that decides.
  public let base: Base
  /// The rules in place of the policy's own.
  public let rules: RetryRules

  /// Creates it.
  public init(_ base: Base, rules: RetryRules) {
    self.base = base
    self.rules = rules
  }
}
