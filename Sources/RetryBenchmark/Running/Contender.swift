public import NetworkConditions
public import RetryPolicies
import URLLoading

/// One of those that are compared: a retry policy, or a whole client.
public struct Contender: Sendable {
  /// Carries a request out, for one client of one trial.
  enum Kind: Sendable {
    case policy(@Sendable (SharedStates) -> any RetryPolicy)
    case client(@Sendable (SimulatedNetwork, URLRequest, SharedStates) async throws -> Void)
  }

  /// The name in reports.
  public let name: String
  /// The text that makes the policy again, where there is one.
  public let plan: String?
  let kind: Kind

  /// For how long its policy may refuse attempts after failures.
  var longestPause: Duration {
    if case .policy(let make) = kind { make(SharedStates()).longestPause } else { .zero }
  }

  /// A policy, followed by the retrying client of the module RetryPolicies.
  ///
  /// - Parameters:
  ///   - name: the name in reports.
  ///   - make: makes the policy, once for each client of each trial: state such as a budget is a client's own.
  public init(_ name: String, policy make: @escaping @Sendable () -> any RetryPolicy) {
    self.name = name
    plan = nil
    kind = .policy { _ in make() }
  }

  /// A policy whose clients share something, such as the budget of a process or a circuit.
  ///
  /// - Parameters:
  ///   - name: the name in reports.
  ///   - state: makes what is shared, once for each trial or for each process of it.
  ///   - sharing: who has one together.
  ///   - make: makes the policy of a client with it, once for each client of each trial.
  public init<State: Sendable>(
    _ name: String, sharing state: @escaping @Sendable () -> State, by sharing: StateSharing = .all,
    policy make: @escaping @Sendable (State) -> any RetryPolicy
  ) {
    self.name = name
    plan = nil
    kind = .policy { states in make(states.state(-1, sharing: sharing, state)) }
  }

  /// A policy by its plan: a name of the catalogue, or one with values and what stands around it.
  ///
  /// - Throws: `RetryError`, which names the place and what would be right.
  public init(named name: String) throws(RetryError) {
    self.init(name: nil, plan: try RetryPolicyPlan(name))
  }

  /// A policy by its plan, under a name of its own in reports.
  public init(name: String?, plan: RetryPolicyPlan) {
    self.name = name ?? plan.description
    self.plan = plan.description
    kind = .policy { plan.make($0) }
  }

  /// A client of your own: one closure that carries a request out over the network it is given, and throws when it fails.
  ///
  /// Use the network's own calls, or its `session`, and its clock to wait.
  public init(_ name: String, client: @escaping @Sendable (SimulatedNetwork, URLRequest) async throws -> Void) {
    self.name = name
    plan = nil
    kind = .client { network, request, _ in try await client(network, request) }
  }

  /// A client of your own whose instances share something within a trial, such as a budget.
  public init<State: Sendable>(
    _ name: String, sharing state: @escaping @Sendable () -> State, by sharing: StateSharing = .all,
    client: @escaping @Sendable (SimulatedNetwork, URLRequest, State) async throws -> Void
  ) {
    self.name = name
    plan = nil
    kind = .client { network, request, states in
      try await client(network, request, states.state(-1, sharing: sharing, state))
    }
  }
}
