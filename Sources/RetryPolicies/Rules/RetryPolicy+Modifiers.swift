public import Foundation

extension RetryPolicy {
  /// This policy under rules that a closure changes.
  public func withRules(_ change: (inout RetryRules) -> Void) -> ModifiedPolicy {
    var rules = rules
    change(&rules)
    return ModifiedPolicy(self, rules: rules)
  }

  /// At most so many attempts, the original included; `nil` is any number.
  public func maximumAttempts(_ count: Int?) -> ModifiedPolicy {
    precondition(count ?? 1 >= 1, "a request has at least one attempt")
    return withRules { $0.maximumAttempts = count }
  }

  /// Repeats requests with these methods.
  public func repeating(_ methods: RetryRules.Methods) -> ModifiedPolicy {
    withRules { $0.methods = methods }
  }

  /// Takes these statuses for transient failures, and no others.
  public func retrying(statuses: Set<Int>) -> ModifiedPolicy {
    withRules { $0.statuses = statuses }
  }

  /// Takes these errors for transient failures, and no others.
  public func retrying(errors: Set<URLError.Code>) -> ModifiedPolicy {
    withRules { $0.errors = errors }
  }

  /// Waits as long as `Retry-After` asks and up to a share of it longer, or gives up where that is more than `limit`.
  public func respectingRetryAfter(upTo limit: Duration? = .seconds(60), spread: Double = 0.5) -> ModifiedPolicy {
    withRules { ($0.retryAfter, $0.retryAfterSpread) = (.respected(upTo: limit), spread) }
  }

  /// Takes no notice of `Retry-After`.
  public func ignoringRetryAfter() -> ModifiedPolicy {
    withRules { $0.retryAfter = .ignored }
  }

  /// Never waits longer than this of its own accord.
  public func capped(at delay: Duration) -> ModifiedPolicy {
    withRules { $0.maximumDelay = delay }
  }

  /// Ends the request after this time, attempts and waits together, with `URLError.timedOut`.
  ///
  /// A retry that would start at or after the deadline is not waited for: the failure is handed over at once.
  public func deadline(_ time: Duration) -> ModifiedPolicy {
    withRules { $0.deadline = time }
  }

  /// Gives requests that are not idempotent an `Idempotency-Key`, by which the server recognises a repetition.
  ///
  /// So a POST may be repeated. A server that does not know such keys carries each attempt out.
  public func withIdempotencyKey() -> ModifiedPolicy {
    withRules { $0.addsIdempotencyKey = true }
  }

  /// Ends each attempt after this time, and takes it for `URLError.timedOut`.
  public func perTryTimeout(_ time: Duration) -> ModifiedPolicy {
    withRules { $0.perTryTimeout = time }
  }
}

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
