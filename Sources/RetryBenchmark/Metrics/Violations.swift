import RetryPolicies

/// The number of times that a client did what it should not have done.
public struct Violations: Mergeable, Hashable, Sendable, Codable {
  /// How often the server carried out a request that is not idempotent once more.
  public private(set) var duplicateEffects = 0
  /// How many requests took longer than they were allowed.
  public private(set) var deadlines = 0
  /// How many retries started before the time that the server had asked to wait.
  public private(set) var retryAfter = 0
  /// How many retries followed a failure that another attempt could not mend.
  public private(set) var pointlessRetries = 0

  /// Creates none.
  public init() {}

  /// Adds a request.
  mutating func add(_ request: RequestRecord) {
    if !request.isIdempotent { duplicateEffects += max(0, request.attempts.count(where: \.wasProcessed) - 1) }
    if let deadline = request.deadline, request.end - request.start > deadline { deadlines += 1 }
    for attempt in request.attempts where attempt.kind == .retry {
      guard
        let before = request.attempts.filter({ $0.end <= attempt.start && $0 != attempt }).max(by: { $0.end < $1.end })
      else { continue }
      if let wait = before.retryAfter, attempt.start - before.end < wait { retryAfter += 1 }
      if before.verdict == .permanentFailure { pointlessRetries += 1 }
    }
  }

  /// Adds those of another part.
  public mutating func merge(_ other: Violations) {
    duplicateEffects += other.duplicateEffects
    deadlines += other.deadlines
    retryAfter += other.retryAfter
    pointlessRetries += other.pointlessRetries
  }
}
