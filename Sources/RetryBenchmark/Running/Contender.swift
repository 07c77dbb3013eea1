public import NetworkConditions
public import RetryPolicies
import URLLoading

/// One of those that are compared: a retry policy, or a whole client.
public struct Contender: Sendable {
  /// Carries a request out, for one client of one trial.
  enum Kind: Sendable {
    case policy(@Sendable () -> any RetryPolicy)
    case client(@Sendable (SimulatedNetwork, URLRequest) async throws -> Void)
  }

  /// The name in reports.
  public let name: String
  let kind: Kind

  /// A policy, followed by the retrying client of the module RetryPolicies.
  ///
  /// - Parameters:
  ///   - name: the name in reports.
  ///   - make: makes the policy, once for each client of each trial: state such as a budget is a client's own.
  public init(_ name: String, policy make: @escaping @Sendable () -> any RetryPolicy) {
    self.name = name
    kind = .policy(make)
  }

  /// A policy that the catalogue knows by its name.
  ///
  /// - Throws: `RetryError.unknownPolicy`, which lists near names.
  public init(named name: String) throws(RetryError) {
    let entry = try RetryPolicyCatalogue.entry(named: name)
    self.name = entry.name
    kind = .policy(entry.make)
  }

  /// A client of your own: one closure that carries a request out over the network it is given, and throws when it fails.
  ///
  /// Use the network's own calls, or its `session`, and its clock to wait.
  public init(_ name: String, client: @escaping @Sendable (SimulatedNetwork, URLRequest) async throws -> Void) {
    self.name = name
    kind = .client(client)
  }
}
