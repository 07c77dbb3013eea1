/// A policy under other rules; everything else stays its own.
public struct ModifiedPolicy: WrappingPolicy {
  /// The policy that decides.
  public let base: any RetryPolicy
  /// The rules in place of the policy's own.
  public let rules: RetryRules

  /// Creates it.
  public init(_ base: any RetryPolicy, rules: RetryRules) {
    self.base = base
    self.rules = rules
  }
}
