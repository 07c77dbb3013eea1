public import URLLoading

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
  /// This policy, which also retries the answers for which the closure returns true.
  ///
  /// ```swift
  /// let patient = FullJitterBackoff().retrying { $0.body == Data("pending".utf8) }
  /// ```
  ///
  /// When no attempts are left, the caller gets such an answer as it is.
  public func retrying(where isTransient: @escaping @Sendable (AttemptAnswer) -> Bool) -> some WrappingPolicy {
    ClosurePolicy(base: self, judge: isTransient)
  }

  /// This policy, which lets a closure change the request before each attempt.
  ///
  /// ```swift
  /// let numbered = FullJitterBackoff().preparing { request, plan in
  ///   request.setValue("\(plan.number)", forHTTPHeaderField: "Attempt")
  /// }
  /// ```
  ///
  /// The closure may suspend; its time counts as the attempt's. If it throws, the attempt ends with its error.
  public func preparing(
    _ change: @escaping @Sendable (inout URLRequest, AttemptPlan) async throws -> Void
  ) -> some WrappingPolicy {
    ClosurePolicy(base: self, change: change)
  }
}
