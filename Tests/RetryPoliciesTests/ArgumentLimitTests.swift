import RetryPolicies
import Testing
import Thoroughness

/// The arguments of policies at their limits, and just beyond them.
struct ArgumentLimitTests {
  private typealias Call = @Sendable () -> Any

  private static let taken: [Call] = [
    { GRPCRetry(maximumAttempts: 2) }, { GRPCHedging(maximumAttempts: 2, delay: .zero) },
    { LatencyPercentile(0.001) }, { LatencyPercentile(99.999) },
    { NoRetry().hedged(after: .zero) }, { NoRetry().hedged(after: .zero, copies: 1_000) },
    { RetryRules(maximumAttempts: 1, retryAfterSpread: 10) }, { NoRetry().maximumAttempts(1) },
    { AttemptPlan(number: 1, kind: .original) }, { LoadShedder(multiplier: 1) },
    { CircuitBreaker(threshold: 1, openTime: .zero, probeLimit: 1) },
    { CircuitBreaker(failureRate: 1, ofAtLeast: 1, within: .seconds(1), slow: .nanoseconds(1), openTime: .zero) },
    { CircuitBreaker(failureRate: 0.001, within: .seconds(60)) }, { Bulkhead(limit: 1) },
    { RetryThrottle(maximumTokens: 1, tokenRatio: 0.001) }, { RetryThrottle(maximumTokens: 1_000, tokenRatio: 1_000) },
    { RetryBudget(window: .seconds(1), minimumPerSecond: 0, share: 0.001) },
    { RetryBudget(window: .seconds(60), minimumPerSecond: 1_000_000, share: 1_000) },
    { AlamofireRetry(retryLimit: 0, base: 2) },
    { ExponentialCurve(base: .zero, multiplier: 1, cap: .zero) },
    { DecorrelatedJitterBackoff(base: .zero, cap: .zero) },
    { FixedBackoff(delay: .zero) }, { LinearBackoff(step: .zero, cap: .zero) },
  ]

  @Test func `a policy accepts arguments at their limits`() {
    for call in Self.taken { _ = call() }
  }

  // iOS, tvOS, watchOS and visionOS start no process for a test; it captures nothing before Swift 6.3.
  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    private static let negative = Duration.nanoseconds(-1)

    private static let refused: [Call] = [
      { GRPCRetry(maximumAttempts: 1) }, { GRPCHedging(maximumAttempts: 1) }, { GRPCHedging(delay: negative) },
      { LatencyPercentile(0) }, { LatencyPercentile(100) },
      { NoRetry().hedged(after: negative) }, { NoRetry().hedged(after: .zero, copies: 0) },
      { NoRetry().hedged(after: .zero, copies: 1_001) },
      { RetryRules(maximumAttempts: 0) }, { RetryRules(retryAfterSpread: -0.001) },
      { RetryRules(retryAfterSpread: 10.001) }, { NoRetry().maximumAttempts(0) },
      { AttemptPlan(number: 0, kind: .original) }, { LoadShedder(multiplier: 0.999) },
      { LoadShedder(multiplier: .infinity) }, { CircuitBreaker(threshold: 0) }, { CircuitBreaker(probeLimit: 0) },
      { CircuitBreaker(openTime: negative) }, { CircuitBreaker(failureRate: 0) },
      { CircuitBreaker(failureRate: 1.001) },
      { CircuitBreaker(failureRate: 1, ofAtLeast: 0) }, { CircuitBreaker(failureRate: 1, within: .milliseconds(999)) },
      { CircuitBreaker(failureRate: 1, within: .milliseconds(60_001)) },
      { CircuitBreaker(failureRate: 1, slow: .zero) }, { CircuitBreaker(failureRate: 1, openTime: negative) },
      { CircuitBreaker(failureRate: 1, probeLimit: 0) }, { Bulkhead(limit: 0) }, { RetryThrottle(maximumTokens: 0) },
      { RetryThrottle(maximumTokens: 1_001) }, { RetryThrottle(tokenRatio: 0) }, { RetryThrottle(tokenRatio: 1_000.1) },
      { RetryBudget(window: .milliseconds(999)) }, { RetryBudget(window: .milliseconds(60_001)) },
      { RetryBudget(minimumPerSecond: -1) }, { RetryBudget(minimumPerSecond: 1_000_001) },
      { RetryBudget(share: 0.000_9) }, { RetryBudget(share: 1_000.1) }, { AlamofireRetry(retryLimit: -1) },
      { AlamofireRetry(base: 1) }, { ExponentialCurve(base: negative) }, { ExponentialCurve(cap: negative) },
      { ExponentialCurve(multiplier: 0.999) }, { ExponentialCurve(multiplier: .infinity) },
      { DecorrelatedJitterBackoff(base: negative) }, { DecorrelatedJitterBackoff(cap: negative) },
      { FixedBackoff(delay: negative) }, { LinearBackoff(step: negative) }, { LinearBackoff(cap: negative) },
    ]

    @Test func `an argument of a policy just beyond its limit stops the process`() async {
      await #expect(processExitsWith: .success) {
        #expect(Traps.returning(Self.refused) == [])
      }
    }
  #endif
}
