import Internals

extension RetryPolicyCatalogue {
  /// The parts that a plan may begin with; to add a policy, add one entry here.
  static let bases: [PolicyPart] = [
    PolicyPart(name: "none", summary: "one attempt, no retry", parameters: []) { _, _, _ in NoRetry() },
    PolicyPart(name: "immediate", summary: "retries without waiting", parameters: [.attempts(3)]) { _, values, _ in
      limited(ImmediateRetry(), values.count(0))
    },
    PolicyPart(
      name: "fixed", summary: "waits the same time before each retry",
      parameters: [.time("delay", .seconds(1)), .attempts(3)]
    ) {
      _, values, _ in limited(FixedBackoff(delay: values.time(0)), values.count(1))
    },
    PolicyPart(
      name: "linear", summary: "waits one step longer before each retry",
      parameters: [.time("step", .milliseconds(500)), .time("cap", .seconds(20)), .attempts(3)]
    ) { _, values, _ in
      limited(LinearBackoff(step: values.time(0), cap: values.time(1)), values.count(2))
    },
    curved("exponential", "waits longer by the factor before each retry, without jitter") { curve, _ in
      ExponentialBackoff(curve: curve)
    },
    curved("full-jitter", "waits at random, up to the exponential wait") { curve, _ in FullJitterBackoff(curve: curve)
    },
    curved("equal-jitter", "waits at random, from half of the exponential wait to all of it") { curve, _ in
      EqualJitterBackoff(curve: curve)
    },
    PolicyPart(
      name: "decorrelated-jitter", summary: "waits at random, from the base to three times the previous wait",
      parameters: [.time("base", .milliseconds(100)), .time("cap", .seconds(20)), .attempts(3)]
    ) { _, values, _ in
      limited(DecorrelatedJitterBackoff(base: values.time(0), cap: values.time(1)), values.count(2))
    },
    PolicyPart(
      name: "grpc", summary: "gRPC A6: retries any method, with ± 20 % jitter, throttled",
      parameters: [
        .attempts(4, in: 2...GRPCRetry.attemptLimit),
        .init(name: "backoff", form: .backoff, usual: .backoff(from: .milliseconds(100), to: .seconds(1), by: 2_000)),
        .throttle,
      ]
    ) { _, values, home in
      guard case .backoff(let low, let high, let factor) = values[1] else { return NoRetry() }
      return GRPCRetry(
        maximumAttempts: values.count(0) ?? .max, initialBackoff: low, multiplier: Double(factor) / 1_000,
        maximumBackoff: high, throttle: home.state { values.throttle(2) })
    },
    PolicyPart(
      name: "grpc-hedging", summary: "gRPC A6: sends copies of any request, throttled",
      parameters: [.attempts(4, in: 2...GRPCRetry.attemptLimit), .time("delay", .milliseconds(500)), .throttle]
    ) { _, values, home in
      GRPCHedging(
        maximumAttempts: values.count(0) ?? .max, delay: values.time(1), throttle: home.state { values.throttle(2) })
    },
    curved("budget", "full jitter within a budget of 20 % and 10/s over 10 s, as in Finagle and tower") { curve, home in
      FullJitterBackoff(curve: curve).budgeted(by: home.state { RetryBudget() })
    },
    curved("sre-budget", "full jitter within 10 % of the client's requests, as in Google's SRE book") { curve, home in
      FullJitterBackoff(curve: curve).budgeted(by: home.state { RetryBudget(minimumPerSecond: 0, share: 0.1) })
    },
    curved("circuit-breaker", "full jitter behind a breaker: 5 failures open it for 30 s") { curve, home in
      FullJitterBackoff(curve: curve).guarded(by: home.state { CircuitBreaker() })
    },
    PolicyPart(
      name: "hedging", summary: "full jitter; an attempt that takes over 1 s gets one more beside it",
      parameters: PolicyPart.Parameter.curve
    ) { _, values, _ in
      limited(FullJitterBackoff(curve: curve(values)), values.count(3)).hedged(after: .seconds(1))
    },
    PolicyPart(
      name: "alamofire", summary: "Alamofire 5: not 429, no Retry-After",
      parameters: [.attempts(3), .time("scale", .milliseconds(500))]
    ) { _, values, _ in AlamofireRetry(retryLimit: (values.count(0) ?? .max) - 1, scale: values.time(1)) },
  ]

  static let wrappings: [PolicyPart] = [
    PolicyPart(
      name: "budget", summary: "allows retries up to this share of the requests, and the reserve on top",
      parameters: [
        .init(name: "share", form: .share, usual: .share(20_000), isBare: true),
        .init(name: "reserve", form: .perSecond, usual: .perSecond(10)),
        .init(name: "window", form: .window, usual: .time(.seconds(10))), .shared,
      ]
    ) { policy, values, home in
      policy.budgeted(
        by: home.state {
          RetryBudget(
            window: values.time(2), minimumPerSecond: values.count(1) ?? 0,
            share: Double(values.thousandths(0)) / 100_000)
        })
    },
    PolicyPart(
      name: "throttle", summary: "allows no retry while half of the tokens are gone, as in gRPC",
      parameters: [.init(name: "tokens", form: .tokens, usual: .tokens(10, 100), isBare: true), .shared]
    ) { policy, values, home in
      guard let throttle = home.state({ values.throttle(0) }) else { return policy }
      return policy.throttled(by: throttle)
    },
    PolicyPart(
      name: "circuit-breaker", summary: "refuses all attempts for the open time after this many failures in a row",
      parameters: [
        .init(name: "failures", form: .count(1...100_000), usual: .count(5)), .time("open", .seconds(30)),
        .init(name: "probes", form: .count(1...100_000), usual: .count(1)), .shared,
      ]
    ) { policy, values, home in
      policy.guarded(
        by: home.state {
          CircuitBreaker(threshold: values.count(0) ?? 1, openTime: values.time(1), probeLimit: values.count(2) ?? 1)
        })
    },
    PolicyPart(
      name: "rate-breaker",
      summary: "the same after this share of failures, among at least this many attempts in the window",
      parameters: [
        .init(name: "rate", form: .failureRate, usual: .share(50_000), isBare: true),
        .init(name: "of", form: .count(1...100_000), usual: .count(20)),
        .init(name: "window", form: .window, usual: .time(.seconds(10))), .time("open", .seconds(30)),
        .init(name: "probes", form: .count(1...100_000), usual: .count(1)),
        .init(name: "slow", form: .slow, usual: .word("never")), .shared,
      ]
    ) { policy, values, home in
      policy.guarded(
        by: home.state {
          CircuitBreaker(
            failureRate: Double(values.thousandths(0)) / 100_000, ofAtLeast: values.count(1) ?? 1,
            within: values.time(2), slow: values[5] == .word("never") ? nil : values.time(5),
            openTime: values.time(3), probeLimit: values.count(4) ?? 1)
        })
    },
    PolicyPart(
      name: "bulkhead",
      summary: "refuses attempts beyond this many at once; 20..200 adapts by AIMD",
      parameters: [.needed("most", .limit), .shared]
    ) { policy, values, home in
      guard case .limit(let least, let most) = values[0] else { return policy }
      return policy.limited(by: home.state { Bulkhead(limits: least...most) })
    },
    PolicyPart(
      name: "shed", summary: "sends less to a server that refuses most attempts, as in Google's SRE book",
      parameters: [
        .init(name: "factor", form: .factor, usual: .thousandths(2_000), isBare: true), .time("window", .seconds(120)),
        .shared,
      ]
    ) { policy, values, home in
      policy.shedding(
        by: home.state { LoadShedder(multiplier: values.factor(0), window: values.time(1)) })
    },
    PolicyPart(
      name: "path",
      summary:
        "waits for a network after -1009; where packets vanish, as in subway, it does nothing",
      parameters: []
    ) { policy, _, _ in policy.waitingForPath() },
    PolicyPart(
      name: "hedge",
      summary: "an attempt that takes this long gets copies beside it; p95 is a percentile of earlier ones",
      parameters: [
        .init(name: "after", form: .hedge, usual: .time(.seconds(1))),
        .init(name: "copies", form: .count(1...1_000), usual: .count(1)), .shared,
      ]
    ) { policy, values, home in
      HedgedPolicy(base: policy, delay: values.hedge(0, home), copies: values.count(1) ?? 1)
    },
    PolicyPart(
      name: "attempts", summary: "at most this many attempts, hedges included",
      parameters: [.needed("most", .attempts(1...1_000))]
    ) { policy, values, _ in policy.maximumAttempts(values.count(0)) },
    PolicyPart(
      name: "per-try", summary: "at most this long for each attempt", parameters: [.needed("time", .time)]
    ) { policy, values, _ in policy.perTryTimeout(values.time(0)) },
    PolicyPart(
      name: "deadline", summary: "at most this long for the request, all attempts and waits together",
      parameters: [.needed("time", .time)]
    ) { policy, values, _ in policy.deadline(values.time(0)) },
    PolicyPart(
      name: "retry-after",
      summary: "obeys a server's Retry-After up to this time, and waits up to this share longer",
      parameters: [
        .init(name: "limit", form: .retryAfter, usual: .time(.seconds(60)), isBare: true),
        .init(name: "spread", form: .share, usual: .share(50_000)),
      ]
    ) { policy, values, _ in
      values[0] == .word("ignored")
        ? policy.ignoringRetryAfter()
        : policy.respectingRetryAfter(upTo: values.time(0), spread: Double(values.thousandths(1)) / 100_000)
    },
    PolicyPart(
      name: "any-method", summary: "also repeats requests that are not idempotent, such as POST", parameters: []
    ) {
      policy, _, _ in
      policy.repeating(.any)
    },
    PolicyPart(
      name: "idempotency-key",
      summary: "gives a POST a key, by which a server that keeps keys recognizes it, and repeats it",
      parameters: []
    ) { policy, _, _ in policy.withIdempotencyKey() },
  ]

  /// Returns the policy with a limit on its attempts; the policy itself if it already has that limit.
  private static func limited(_ policy: any RetryPolicy, _ attempts: Int?) -> any RetryPolicy {
    policy.rules.maximumAttempts == attempts ? policy : policy.maximumAttempts(attempts)
  }

  private static func curve(_ values: [PolicyPart.Value]) -> ExponentialCurve {
    ExponentialCurve(base: values.time(0), multiplier: values.factor(1), cap: values.time(2))
  }

  private static func curved(
    _ name: String, _ summary: String,
    _ make: @escaping @Sendable (ExponentialCurve, StateHome) -> any RetryPolicy
  ) -> PolicyPart {
    PolicyPart(name: name, summary: summary, parameters: PolicyPart.Parameter.curve) { _, values, home in
      limited(make(curve(values), home), values.count(3))
    }
  }

  /// Everything that a plan may contain, one part a line: base policies first, then the parts that may wrap them.
  public static var grammar: [String] { bases.map(line) + wrappings.map { "+ \(line($0))" } }

  private static func line(_ part: PolicyPart) -> String {
    let values = part.parameters.map { parameter in
      let isNamed = !parameter.isBare || parameter.usual == .word("")
      return [isNamed ? parameter.name : "", parameter.usual.text].filter { !$0.isEmpty }.joined(separator: " ")
    }
    return "\(part.name)\(values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"): \(part.summary)"
  }
}
