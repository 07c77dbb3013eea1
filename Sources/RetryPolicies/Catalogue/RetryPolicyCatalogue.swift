/// The policies that have a name, as a command line or a report refers to them.
public enum RetryPolicyCatalogue {
  /// A policy by its name.
  public struct Entry: Sendable {
    /// The name: lower case, with hyphens.
    public let name: String
    /// The policy in one line.
    public let summary: String
    /// Makes the policy; what requests share, such as a budget, is new each time and belongs to one client.
    public let make: @Sendable () -> any RetryPolicy
  }

  /// All of them, from the simplest on.
  public static var entries: [Entry] {
    bases.map { part in
      Entry(name: part.name, summary: part.summary) {
        part.make(NoRetry(), part.parameters.map(\.usual), StateHome())
      }
    }
  }

  /// A new policy by its plan, such as `full-jitter` or `grpc(attempts 5) + per-try(5 s)`.
  ///
  /// - Throws: ``RetryError/unknownPolicy(_:near:)``, which lists the names that resemble it, and
  ///   ``RetryError/policyText(_:place:reason:)`` where a plan is wrong.
  public static func named(_ name: String) throws(RetryError) -> any RetryPolicy { try RetryPolicyPlan(name).make() }
}
