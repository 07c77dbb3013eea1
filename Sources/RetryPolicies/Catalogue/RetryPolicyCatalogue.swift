import Internals

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
  ///
  /// Adding a policy is one line here.
  public static let entries: [Entry] = [
    Entry(name: "none", summary: "one attempt, no retry") { NoRetry() },
    Entry(name: "immediate", summary: "3 attempts without a wait") { ImmediateRetry() },
    Entry(name: "fixed", summary: "3 attempts, 1 s apart") { FixedBackoff() },
    Entry(name: "linear", summary: "3 attempts; 0.5 s, then 1 s") { LinearBackoff() },
    Entry(name: "exponential", summary: "3 attempts; 100 ms, doubling up to 20 s, no jitter") { ExponentialBackoff() },
    Entry(name: "full-jitter", summary: "3 attempts; anything up to the exponential wait") { FullJitterBackoff() },
    Entry(name: "equal-jitter", summary: "3 attempts; from half the exponential wait to all of it") {
      EqualJitterBackoff()
    },
    Entry(name: "decorrelated-jitter", summary: "3 attempts; from 100 ms to three times the wait before") {
      DecorrelatedJitterBackoff()
    },
    Entry(name: "grpc", summary: "gRPC A6: 4 attempts, any method; 100 ms, doubling up to 1 s, ± 20 %; throttled") {
      GRPCRetry()
    },
    Entry(name: "grpc-hedging", summary: "gRPC A6: up to 4 copies of any request, 500 ms apart; throttled") {
      GRPCHedging()
    },
    Entry(name: "budget", summary: "full jitter within a budget of 20 % and 10/s over 10 s, as in Finagle and tower") {
      FullJitterBackoff().budgeted(by: RetryBudget())
    },
    Entry(name: "sre-budget", summary: "full jitter within 10 % of the client's requests, as in Google's SRE book") {
      FullJitterBackoff().budgeted(by: .siteReliabilityEngineering())
    },
    Entry(name: "circuit-breaker", summary: "full jitter behind a breaker: 5 failures open it for 30 s") {
      FullJitterBackoff().guarded(by: CircuitBreaker())
    },
    Entry(name: "hedging", summary: "full jitter; beside each attempt that takes over 1 s one more") {
      FullJitterBackoff().hedged(after: .seconds(1))
    },
    Entry(name: "alamofire", summary: "Alamofire 5: 3 attempts; 0.5 s, then 1 s; not 429, no Retry-After") {
      AlamofireRetry()
    },
    Entry(name: "urllib3", summary: "urllib3 2: 4 attempts without a wait; 413, 429, 503 with Retry-After only") {
      URLLib3Retry()
    },
  ]

  /// A new policy by its name, without regard to case.
  ///
  /// - Throws: ``RetryError/unknownPolicy(_:near:)``, which lists the names that resemble it.
  public static func named(_ name: String) throws(RetryError) -> any RetryPolicy { try entry(named: name).make() }

  /// The entry of this name, without regard to case.
  package static func entry(named name: String) throws(RetryError) -> Entry {
    guard let entry = entries.first(where: { $0.name == name.lowercased() }) else {
      throw .unknownPolicy(name, near: NearNames.find(name, among: entries.map(\.name)))
    }
    return entry
  }
}
