import RetryPolicies
import Testing

struct PolicyPlanTests {
  @Test(arguments: [
    "full-jitter(base 1 s, cap 10 s, attempts 4)", "grpc(backoff 1 s..5 s x1.6, throttle 20/0.5)",
    "full-jitter + budget(10 %, reserve 0/s, shared) + per-try(5 s)", "fixed(delay 250 ms, attempts any)",
    "none", "immediate(attempts 5) + hedge(after 300 ms, copies 2) + attempts(6)", "urllib3(jitter 1500 us)",
    "alamofire + circuit-breaker(failures 2, open 1 min, shared) + deadline(20 s) + retry-after(ignored) + any-method",
    "grpc(throttle none)", "full-jitter + idempotency-key",
    "full-jitter + rate-breaker(25 %, of 40, window 20 s, open 5 s, probes 2, shared)",
    "none + bulkhead(10, shared by 4)", "linear(step 1 s) + throttle(5/1)", "none + bulkhead(20..200, shared)",
    "none + rate-breaker(slow 2 s, shared)", "fixed + rate-limit(shared)", "none + hedge(after p99.9, shared)",
    "none + shed(1.5, window 90 s, shared)", "full-jitter + path", "exponential(factor 1.625)",
    "exponential(factor 1.05)",
    "full-jitter + budget(0.1 %, reserve 1000000/s)", "fixed(delay 8760 h)",
  ])
  func `a policy plan is written as the same text from which it was read`(text: String) throws {
    let plan = try RetryPolicyPlan(text)
    #expect(plan.description == text)
    #expect(try RetryPolicyPlan(plan.description) == plan)
    _ = plan.make()
  }

  @Test func `a policy plan omits default values when it is written`() throws {
    let plan = try RetryPolicyPlan(" Full-Jitter ( attempts 3,cap 20 s , base 0.1 s ) + budget ( 20 % , reserve 10/s )")
    #expect(plan.description == "full-jitter + budget")
    for entry in RetryPolicyCatalogue.entries { #expect(try RetryPolicyPlan(entry.name).description == entry.name) }
    #expect(
      try RetryPolicyPlan("none + rate-breaker(slow never) + bulkhead(5..5)").description.hasSuffix("bulkhead(5)"))
    let rules = try RetryPolicyPlan("full-jitter(attempts 4) + per-try(5 s) + deadline(1.5 min)").make().rules
    #expect(rules.maximumAttempts == 4 && rules.perTryTimeout == .seconds(5) && rules.deadline == .seconds(90))
  }

  @Test(arguments: [
    ("full-jitter(base 1)", 18, "is not a time; write for example 500 ms"),
    ("full-jitter(base 1 s, base 2 s)", 23, "base is given twice"),
    ("full-jitter base", 13, "is left over; join parts with +"),
    ("grpc(backoff 5 s..1 s x2)", 14, "is not a backoff; write for example 1 s..5 s x1.6"),
    ("full-jitter + bugdet(20 %)", 15, "did you mean budget?"), ("none + per-try", 15, "per-try needs a time"),
    ("full-jitter + budget(20)", 22, "is not a share, 0 or from 0.1 to 1000 per cent"),
    ("none + rate-breaker(120 %)", 21, "is not a share from 0.1 to 100 per cent"),
    ("full-jitter + budget(0.05 %)", 22, "is not a share, 0 or from 0.1 to 1000 per cent"),
    ("fixed(delay 8761 h)", 13, "is not a time"), ("exponential(factor 1.0625)", 20, "is not a factor"),
    ("none + bulkhead", 16, "bulkhead needs a number from 1 to 100000"),
    ("none + bulkhead(20..10)", 17, "or two between which it adapts; write for example 10 or 20..200"),
    ("none + hedge(after p100)", 20, "is not a time or a percentile; write for example 500 ms or p95"),
    ("none + hedge(after p0)", 20, "is not a time or a percentile"),
    ("none + rate-breaker(slow none)", 26, "is not a time above 0, or never"),
    ("none + rate-breaker(slow 0 s)", 26, "is not a time above 0, or never"),
    ("immediate(attempts 0)", 20, "from 1 to 1000"),
    ("fixed(delay 400 days)", 13, "is not a time"), ("fixed(delay 1.5 ns)", 13, "is not a time"),
    ("fixed(delay 1 s", 16, "where a comma or ) is expected"),
    ("immediate(attempts 5", 21, "where a comma or ) is expected"),
  ])
  func `an error in a policy plan names its column and explains the problem`(text: String, place: Int, part: String) {
    do {
      _ = try RetryPolicyPlan(text)
      Issue.record("\(text) was read")
    } catch {
      guard case .policyText(text, let found, let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(found == place && reason.contains(part), "\(found): \(reason)")
    }
  }

  private static let curve = ExponentialCurve(base: .seconds(1), multiplier: 3, cap: .seconds(9))

  @Test(
    arguments: [
      ("fixed(delay 2 s, attempts 4)", FixedBackoff(delay: .seconds(2)).maximumAttempts(4)),
      ("linear(step 1 s, cap 2 s, attempts 4)", LinearBackoff(step: .seconds(1), cap: .seconds(2)).maximumAttempts(4)),
      ("exponential(base 1 s, factor 3, cap 9 s, attempts 5)", ExponentialBackoff(curve: curve).maximumAttempts(5)),
      (
        "decorrelated-jitter(base 1 s, cap 2 s, attempts 4)",
        DecorrelatedJitterBackoff(base: .seconds(1), cap: .seconds(2)).maximumAttempts(4)
      ),
      ("equal-jitter(base 1 s, factor 3, cap 9 s, attempts 5)", EqualJitterBackoff(curve: curve).maximumAttempts(5)),
      (
        "grpc(attempts 5, backoff 1 s..5 s x1.6, throttle none)",
        GRPCRetry(
          maximumAttempts: 5, initialBackoff: .seconds(1), multiplier: 1.6, maximumBackoff: .seconds(5), throttle: nil)
      ),
      (
        "grpc-hedging(attempts 3, delay 2 s, throttle none)",
        GRPCHedging(maximumAttempts: 3, delay: .seconds(2), throttle: nil)
      ),
      ("alamofire(attempts 5, scale 1 s)", AlamofireRetry(retryLimit: 4, scale: .seconds(1))),
      (
        "urllib3(attempts 5, factor 1 s, jitter 2 s)",
        URLLib3Retry(total: 4, factor: .seconds(1), jitter: .seconds(2))
      ),
      ("none + hedge(after 2 s, copies 3)", NoRetry().hedged(after: .seconds(2), copies: 3)),
      (
        "none + retry-after(20 s, spread 30 %)",
        NoRetry().respectingRetryAfter(upTo: .seconds(20), spread: 0.3)
      ),
      ("fixed + retry-after(ignored, spread 30 %)", FixedBackoff().ignoringRetryAfter()),
      ("none + any-method", NoRetry().repeating(.any)), ("none + idempotency-key", NoRetry().withIdempotencyKey()),
      (
        "none + budget(30 %, reserve 5/s, window 20 s)",
        NoRetry().budgeted(by: RetryBudget(window: .seconds(20), minimumPerSecond: 5, share: 0.3))
      ),
      (
        "none + circuit-breaker(failures 3, open 7 s, probes 2)",
        NoRetry().guarded(by: CircuitBreaker(threshold: 3, openTime: .seconds(7), probeLimit: 2))
      ),
      (
        "none + rate-breaker(25 %, of 40, window 20 s, open 7 s, probes 2, slow 3 s)",
        NoRetry().guarded(
          by: CircuitBreaker(
            failureRate: 0.25, ofAtLeast: 40, within: .seconds(20), slow: .seconds(3), openTime: .seconds(7),
            probeLimit: 2))
      ),
      ("none + shed(1.5, window 90 s)", NoRetry().shedding(by: LoadShedder(multiplier: 1.5, window: .seconds(90)))),
    ] as [(String, any RetryPolicy)])
  func `a plan makes the same policy as the call with the same values`(text: String, policy: any RetryPolicy) throws {
    /// The values of all properties, in any order, since sets have none.
    func contents(_ policy: any RetryPolicy) -> [Substring] {
      var text = ""
      dump(policy, to: &text)
      return text.split(separator: "\n").sorted()
    }
    #expect(contents(try RetryPolicyPlan(text).make()) == contents(policy))
  }

  @Test func `a list of policies is split at commas outside parentheses`() {
    #expect(
      RetryPolicyPlan.list("none, grpc(attempts 4, throttle none) ,x") == [
        "none", "grpc(attempts 4, throttle none)", "x",
      ])
  }

  @Test func `a retry budget belongs to one client, to all clients, or to a process of four`() throws {
    let request = RetryRequest(method: "GET", host: "h")
    /// Which of six clients may retry after the first has spent its budget.
    func mayRetry(_ text: String) throws -> [Int] {
      let (plan, common) = (try RetryPolicyPlan(text), SharedStates())
      let clients = (0..<6).map { plan.make(SharedStates(common: common, client: $0)) }
      let retry = AttemptPlan(number: 2, kind: .retry)
      while clients[0].grants(retry, of: request) {}
      return clients.indices.filter { clients[$0].grants(retry, of: request) }
    }
    #expect(try mayRetry("full-jitter + budget(20 %, reserve 2/s)") == [1, 2, 3, 4, 5])
    #expect(try mayRetry("full-jitter + budget(20 %, reserve 2/s, shared)") == [])
    #expect(try mayRetry("full-jitter + budget(20 %, reserve 2/s, shared by 4)") == [4, 5])
    let plan = try RetryPolicyPlan("full-jitter + throttle(20/0.5,shared  by 4)")
    #expect(plan.description == "full-jitter + throttle(20/0.5, shared by 4)")
  }

  @Test(arguments: [
    "immediate(attempts 1000) + hedge(after 1 s, copies 2)", "urllib3(attempts any)", "alamofire(attempts any)",
  ])
  func `equalised plans keep more attempts than a plan's text can express`(text: String) throws {
    let plans = try [text, "fixed"].map { try RetryPolicyPlan($0) }
    let equal = try RetryPolicyPlan.equalised(plans)
    #expect(equal.map { $0.make().rules.maximumAttempts ?? .max }.allSatisfy { $0 >= 1_000 })
    #expect(try equal.map { try RetryPolicyPlan($0.description) } == equal)
  }

  @Test(arguments: ["1.000000001 h", "8759.999999999 h", "31535999999999999 ns"])
  func `a plan whose time has many digits is read back unchanged from its text`(time: String) throws {
    let plan = try RetryPolicyPlan("fixed(delay \(time))")
    #expect(try RetryPolicyPlan(plan.description) == plan)
    #expect(throws: RetryError.self) { _ = try RetryPolicyPlan("full-jitter(factor 999999999999999999)") }
  }

  @Test func `equalised limits are the widest of all plans, and a plan without retries keeps its own`() throws {
    let plans = try ["none", "full-jitter", "grpc + deadline(20 s)", "immediate(attempts any) + per-try(2 s)"].map {
      try RetryPolicyPlan($0)
    }
    let equal = try RetryPolicyPlan.equalised(plans)
    #expect(equal[0] == plans[0])
    for plan in equal.dropFirst() {
      let rules = plan.make().rules
      #expect(rules.maximumAttempts == 4 && rules.deadline == .seconds(20) && rules.perTryTimeout == .seconds(2))
    }
  }
}
