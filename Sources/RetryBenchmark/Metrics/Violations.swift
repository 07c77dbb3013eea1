import RetryPolicies

/// How often a client broke a rule.
public struct Violations: Mergeable, Hashable, Sendable, Codable {
  /// How often the server repeated a request that is not idempotent.
  public private(set) var duplicateEffects = 0
  /// The number of requests that took longer than their deadline.
  public private(set) var deadlines = 0
  /// The number of retries that started before the end of the server's `Retry-After`.
  public private(set) var retryAfter = 0
  /// The number of retries after a permanent failure, which another attempt could not mend.
  public private(set) var pointlessRetries = 0

  mutating func add(_ request: RequestRecord) {
    if !request.isIdempotent { duplicateEffects += max(0, request.attempts.count(where: \.wasProcessed) - 1) }
    if let deadline = request.deadline, request.end - request.start > deadline { deadlines += 1 }
    for attempt in request.attempts where attempt.kind == .retry {
      guard
        let before = request.attempts.filter({ $0.end <= attempt.start && $0 != attempt }).max(by: { $0.end < $1.end })
      else { continue }
      if let wait = before.retryAfter, attempt.start - before.end < wait { retryAfter += 1 }
      if before.outcomeClass == .permanentFailure { pointlessRetries += 1 }
    }
  }

  mutating func merge(_ other: Violations) {
    duplicateEffects += other.duplicateEffects
    deadlines += other.deadlines
    retryAfter += other.retryAfter
    pointlessRetries += other.pointlessRetries
  }
}
