/// The named policies, as command lines and reports refer to them.
public enum RetryPolicyCatalogue {
  /// A named policy.
  public struct Entry: Sendable {
    /// The name: lower case, with hyphens.
    public let name: String
    /// The policy in one line.
    public let summary: String
    /// Makes the policy; its shared state, such as a budget, is new each time and belongs to one client.
    public let make: @Sendable () -> any RetryPolicy
  }

  /// All named policies, the simplest first.
  public static var entries: [Entry] {
    bases.map { part in
      Entry(name: part.name, summary: part.summary) {
        part.make(NoRetry(), part.parameters.map(\.usual), StateHome())
      }
    }
  }

  /// Creates a policy from its plan, such as `full-jitter` or `grpc(attempts 5) + per-try(5 s)`.
  ///
  /// - Throws: ``RetryError/unknownPolicy(_:near:)``, which lists similar names, and
  ///   ``RetryError/policyText(_:place:reason:)`` if the plan is invalid.
  public static func named(_ name: String) throws(RetryError) -> any RetryPolicy { try RetryPolicyPlan(name).make() }
}
