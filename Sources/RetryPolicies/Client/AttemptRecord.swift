/// The record of one attempt, for whoever watches a request.
public struct AttemptRecord: Sendable {
  /// Why nothing follows an attempt.
  public enum Reason: String, Hashable, Sendable, CaseIterable, Codable {
    /// It succeeded.
    case success
    /// It failed in a way that another attempt would not mend.
    case permanentFailure
    /// The method, or a body that is a stream, forbids to repeat the request.
    case notRepeatable
    /// There have been as many attempts as the rules allow.
    case attemptsExhausted
    /// The policy said stop.
    case policy
    /// The policy did not grant the retry: a budget was spent, a throttle was down, or a circuit is open until after it.
    case denied
    /// The policy did not let the next attempt start: a circuit was open.
    case refused
    /// The deadline came, or the retry would have come after it.
    case deadline
    /// The server asked to wait longer than the rules allow.
    case retryAfterTooLong
    /// Another attempt of the request succeeded first.
    case overtaken
    /// The caller gave up.
    case cancelled
  }

  /// The step that follows an attempt.
  public enum Next: Hashable, Sendable {
    /// The end of the request.
    case done(Reason)
    /// Another attempt, after a wait.
    case retry(after: Duration)
    /// Another attempt, so long after there is a network again.
    case retryWithNetwork(after: Duration)
    /// Another attempt that is under way or planned already.
    case waits
  }

  /// Number, kind, start, delay, end and outcome; times since the origin of the client's clock.
  public let attempt: RetryAttempt
  /// The step that follows.
  public let next: Next
  /// The bytes of the request's body.
  public let requestBytes: Int
  /// The bytes of the response's body that were received in whole.
  ///
  /// 0 where the attempt failed or was abandoned, and where the body is read piece by piece.
  public let responseBytes: Int

  /// Creates a record.
  public init(attempt: RetryAttempt, next: Next, requestBytes: Int = 0, responseBytes: Int = 0) {
    self.attempt = attempt
    self.next = next
    self.requestBytes = requestBytes
    self.responseBytes = responseBytes
  }
}
