import Internals
import URLLoading

/// A token that all requests of a client share, so that only one of them fetches it.
///
/// ```swift
/// let token = AccessToken { try await client.signIn() }
/// let policy = FullJitterBackoff().authorized(by: token)
/// ```
///
/// The fetch itself must not wait for the token. If the request that fetches is cancelled, the next waiting request fetches.
/// If the fetch fails, all waiting requests get its error.
public final class AccessToken: Sendable {
  private enum Turn: Sendable {
    case known(String)
    case fetch
  }
  private struct State {
    var value: String?
    var isFetching = false
    var waiting: [(number: Int, continuation: CheckedContinuation<Turn, any Error>)] = []
    var cancelled: Set<Int> = []
    var count = 0
  }
  private let state = Mutex(State())
  private let fetch: @Sendable () async throws -> String

  /// Creates a token that a closure fetches when needed.
  public init(_ fetch: @escaping @Sendable () async throws -> String) {
    self.fetch = fetch
  }

  /// The token; fetches one if there is none or it has expired.
  public func value() async throws -> String {
    switch try await turn() {
    case .known(let value): return value
    case .fetch: break
    }
    do {
      let value = try await fetch()
      settle(.success(value))
      return value
    } catch {
      if Task.isCancelled { passOn() } else { settle(.failure(error)) }
      throw error
    }
  }

  /// Marks a token as expired: the next request fetches a new one, unless that has already happened.
  public func expire(_ value: String) {
    state.withLock { if $0.value == value { $0.value = nil } }
  }

  private func turn() async throws -> Turn {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let turn: Result<Turn, any Error>? = state.withLock { state in
          if state.cancelled.contains(number) { return .failure(URLError(.cancelled)) }
          if let value = state.value { return .success(.known(value)) }
          if !state.isFetching {
            state.isFetching = true
            return .success(.fetch)
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let turn { continuation.resume(with: turn) }
      }
    } onCancel: {
      let continuation: CheckedContinuation<Turn, any Error>? = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.waiting.remove(at: index).continuation
      }
      continuation?.resume(throwing: URLError(.cancelled))
    }
  }

  private func settle(_ result: Result<String, any Error>) {
    let waiting = state.withLock { state in
      state.isFetching = false
      state.value = try? result.get()
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.continuation.resume(with: result.map { .known($0) }) }
  }

  private func passOn() {
    let next: CheckedContinuation<Turn, any Error>? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isFetching = false
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: .fetch)
  }
}

/// A policy that sends a token, and fetches a new one when the server answers 401.
private struct AuthorizedPolicy: WrappingPolicy {
  let base: any RetryPolicy
  let token: AccessToken

  private static let field = "Authorization"
  private static let scheme = "Bearer "

  var rules: RetryRules {
    var rules = base.rules
    rules.maximumAttempts = rules.maximumAttempts.map { $0 < .max ? $0 + 1 : $0 }
    return rules
  }

  /// Adds the token as a bearer token (RFC 6750, section 2.1).
  func prepare(
    _ sent: URLRequest, for plan: AttemptPlan, of request: RetryRequest
  ) async throws -> URLRequest {
    var sent = try await base.prepare(sent, for: plan, of: request)
    sent.setValue(Self.scheme + (try await token.value()), forHTTPHeaderField: Self.field)
    return sent
  }

  /// Expires the token and returns true at a request's first 401; asks the wrapped policy about all other answers.
  func isTransient(_ answer: AttemptAnswer, of request: RetryRequest) -> Bool {
    guard answer.response.status == 401 else { return base.isTransient(answer, of: request) }
    // Concurrent copies carry the same token, so all of their 401s count as the first.
    guard !request.attempts.contains(where: { $0.isUnauthorized && $0.end <= answer.plan.start }) else { return false }
    let sent = answer.request.value(forHTTPHeaderField: Self.field) ?? ""
    if sent.hasPrefix(Self.scheme) { token.expire(String(sent.dropFirst(Self.scheme.count))) }
    return true
  }

  /// Retries at once after a 401; otherwise the wrapped policy decides, and sees no attempt that got a 401.
  func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    guard !attempt.isUnauthorized else {
      // When several copies are refused, the first refusal alone leads to a retry.
      let refused = request.attempts.first(where: \.isUnauthorized) ?? attempt
      let plans = request.attempts.map(\.plan) + request.underWay
      return plans.contains { $0.number > refused.number && $0.start >= refused.end } ? .wait : .retry(after: .zero)
    }
    var own = request
    own.attempts.removeAll(where: \.isUnauthorized)
    if let most = base.rules.maximumAttempts, own.attempts.count >= most { return .stop }
    return base.decision(after: attempt, of: own, random: &random)
  }

  /// Grants the retry after a 401 without asking the wrapped policy, so that no budget pays for it.
  func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    if plan.kind == .retry, request.attempts.last?.isUnauthorized == true { return true }
    return base.grants(plan, of: request)
  }

  /// Tells the wrapped policy how the attempt ended; it sees a 401 as a permanent failure.
  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) {
    guard attempt.isUnauthorized else { return base.didFinish(attempt, of: request) }
    base.didFinish(
      RetryAttempt(plan: attempt.plan, end: attempt.end, outcome: attempt.outcome, outcomeClass: .permanentFailure),
      of: request)
  }
}

extension RetryAttempt {
  fileprivate var isUnauthorized: Bool { outcome.status == 401 }
}

extension RetryPolicy {
  /// This policy, whose attempts send a token; after a 401 it fetches a new one and retries once.
  ///
  /// Apply it last: then the budgets and breakers of this policy do not count the 401.
  public func authorized(by token: AccessToken) -> some WrappingPolicy {
    AuthorizedPolicy(base: self, token: token)
  }
}
