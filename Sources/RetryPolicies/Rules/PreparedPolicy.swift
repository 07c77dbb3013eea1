public import URLLoading

/// A policy with a closure for one of its questions.
private struct ClosurePolicy: WrappingPolicy {
  let base: any RetryPolicy
  var change: (@Sendable (inout URLRequest, AttemptPlan) async throws -> Void)?
  var judge: (@Sendable (AttemptAnswer) -> Bool)?

  func prepare(
    _ sent: URLRequest, for plan: AttemptPlan, of request: RetryRequest
  ) async throws -> URLRequest {
    var sent = try await base.prepare(sent, for: plan, of: request)
    try await change?(&sent, plan)
    return sent
  }

  func isTransient(_ answer: AttemptAnswer, of request: RetryRequest) -> Bool {
    judge?(answer) ?? false || base.isTransient(answer, of: request)
  }
}

extension RetryPolicy {
  /// This policy, which also takes answers for transient failures of which the closure says so.
  ///
  /// ```swift
  /// let patient = FullJitterBackoff().retrying { $0.body == Data("pending".utf8) }
  /// ```
  ///
  /// When attempts run out, such an answer is handed over as it is.
  public func retrying(where isTransient: @escaping @Sendable (AttemptAnswer) -> Bool) -> some WrappingPolicy {
    ClosurePolicy(base: self, judge: isTransient)
  }

  /// This policy, each attempt of which sends the request as the closure changes it.
  ///
  /// ```swift
  /// let numbered = FullJitterBackoff().preparing { request, plan in
  ///   request.setValue("\(plan.number)", forHTTPHeaderField: "Attempt")
  /// }
  /// ```
  ///
  /// The closure may wait, within the time of the attempt. What it throws is how the attempt ends.
  public func preparing(
    _ change: @escaping @Sendable (inout URLRequest, AttemptPlan) async throws -> Void
  ) -> some WrappingPolicy {
    ClosurePolicy(base: self, change: change)
  }
}
