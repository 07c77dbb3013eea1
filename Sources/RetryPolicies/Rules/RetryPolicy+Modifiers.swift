extension RetryPolicy {
  /// This policy, with rules that a closure changes.
  public func withRules(_ change: (inout RetryRules) -> Void) -> some WrappingPolicy {
    var rules = rules
    change(&rules)
    return ModifiedPolicy(base: self, rules: rules)
  }

  /// This policy, with a limit on a request's attempts, the original included; `nil` means no limit.
  public func maximumAttempts(_ count: Int?) -> some WrappingPolicy {
    precondition(count ?? 1 >= 1, "a request has at least one attempt")
    return withRules { $0.maximumAttempts = count }
  }

  /// Retries only requests that these methods allow.
  public func repeating(_ methods: RetryRules.Methods) -> some WrappingPolicy {
    withRules { $0.methods = methods }
  }

  /// Waits as long as `Retry-After` asks, plus a random share of up to `spread`; above `limit` it gives up.
  public func respectingRetryAfter(upTo limit: Duration? = .seconds(60), spread: Double = 0.5) -> some WrappingPolicy {
    withRules { ($0.retryAfter, $0.retryAfterSpread) = (.respected(upTo: limit), spread) }
  }

  /// Ignores `Retry-After`.
  public func ignoringRetryAfter() -> some WrappingPolicy {
    withRules { $0.retryAfter = .ignored }
  }

  /// Ends the request with `URLError.timedOut` after this time, which includes all attempts and waits.
  ///
  /// A retry that would start at or after the deadline is not awaited: the caller gets the failure at once.
  public func deadline(_ time: Duration) -> some WrappingPolicy {
    withRules { $0.deadline = time }
  }

  /// Adds an `Idempotency-Key` to requests that are not idempotent, so that a POST may be repeated.
  ///
  /// The server recognises a repetition by the key. A server that ignores such keys executes each attempt.
  public func withIdempotencyKey() -> some WrappingPolicy {
    withRules { $0.addsIdempotencyKey = true }
  }

  /// Ends each attempt after this time with `URLError.timedOut`.
  public func perTryTimeout(_ time: Duration) -> some WrappingPolicy {
    withRules { $0.perTryTimeout = time }
  }
}

/// A policy with other rules; the wrapped policy decides everything else.
struct ModifiedPolicy: WrappingPolicy {
  let base: any RetryPolicy
  let rules: RetryRules
}
