public import NetworkConditions
public import RetryPolicies
import URLLoading

/// A retry policy, or a whole client, that a benchmark compares with others.
public struct Candidate: Sendable {
  /// How the candidate carries out a request, for one client of one trial.
  enum Kind: Sendable {
    case policy(@Sendable (SharedStates) -> any RetryPolicy)
    case client(@Sendable (SimulatedNetwork, URLRequest, SharedStates) async throws -> Void)
  }

  /// The name in reports.
  public let name: String
  /// The text from which the policy can be made again, if there is one.
  public let plan: String?
  let kind: Kind

  private init(_ name: String, _ kind: Kind, plan: String? = nil) {
    (self.name, self.kind, self.plan) = (name, kind, plan)
  }

  /// How long the candidate's policy may refuse attempts after failures; zero for a client.
  var longestPause: Duration {
    if case .policy(let make) = kind { make(SharedStates()).longestPause } else { .zero }
  }

  /// Creates a candidate that follows a policy with the retrying client of the module RetryPolicies.
  ///
  /// - Parameters:
  ///   - name: the name in reports.
  ///   - make: makes the policy, once for each client of each trial, so clients share no state such as a budget.
  public init(_ name: String, policy make: @escaping @Sendable () -> any RetryPolicy) {
    self.init(name, .policy { _ in make() })
  }

  /// Creates a candidate whose clients share state, such as a process's budget or a circuit breaker.
  ///
  /// - Parameters:
  ///   - name: the name in reports.
  ///   - state: makes the shared state, once for each trial or for each process in it.
  ///   - sharing: which clients share one state.
  ///   - make: makes a client's policy from the shared state, once for each client of each trial.
  public init<State: Sendable>(
    _ name: String, sharing state: @escaping @Sendable () -> State, by sharing: StateSharing = .all,
    policy make: @escaping @Sendable (State) -> any RetryPolicy
  ) {
    self.init(name, .policy { states in make(states.state(-1, sharing: sharing, state)) })
  }

  /// Creates a candidate from a plan: a policy's name in the catalogue, with optional values and wrappers.
  ///
  /// - Throws: `RetryError`, which names the wrong place in the plan and its correction.
  public init(named name: String) throws(RetryError) {
    self.init(name: nil, plan: try RetryPolicyPlan(name))
  }

  /// Creates a candidate from a plan; reports use `name`, or the plan's text where that is `nil`.
  public init(name: String?, plan: RetryPolicyPlan) {
    self.init(name ?? plan.description, .policy { plan.make($0) }, plan: plan.description)
  }

  /// Creates a candidate from your own client: a closure that sends one request, and throws when it fails.
  ///
  /// Use the calls or the `session` of the network that it receives, and wait on that network's clock.
  public init(_ name: String, client: @escaping @Sendable (SimulatedNetwork, URLRequest) async throws -> Void) {
    self.init(name, .client { network, request, _ in try await client(network, request) })
  }

  /// Creates a candidate from your own client; its instances share state, such as a budget, within a trial.
  public init<State: Sendable>(
    _ name: String, sharing state: @escaping @Sendable () -> State, by sharing: StateSharing = .all,
    client: @escaping @Sendable (SimulatedNetwork, URLRequest, State) async throws -> Void
  ) {
    self.init(
      name,
      .client { network, request, states in
        try await client(network, request, states.state(-1, sharing: sharing, state))
      })
  }
}
