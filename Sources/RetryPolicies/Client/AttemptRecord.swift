/// The record of one attempt, for observers of a request.
public struct AttemptRecord: Sendable {
  /// Why no attempt follows.
  public enum Reason: String, Hashable, Sendable, CaseIterable, Codable {
    /// The attempt succeeded.
    case success
    /// The attempt failed in a way that a retry would not help.
    case permanentFailure
    /// The request must not be repeated: because of its method, or because its body is a stream.
    case notRepeatable
    /// The request has had as many attempts as the rules allow.
    case attemptsExhausted
    /// The policy decided to stop.
    case policy
    /// The policy denied the retry: a budget was spent, a throttle low on tokens, or a circuit open.
    case denied
    /// The policy did not let the next attempt start, for example because a circuit was open.
    case refused
    /// The deadline passed, or the retry would have started after it.
    case deadline
    /// The server asked to wait longer than the rules allow.
    case retryAfterTooLong
    /// Another attempt of the request succeeded first.
    case overtaken
    /// The caller cancelled the request.
    case cancelled
  }

  /// What follows an attempt.
  public enum Next: Hashable, Sendable {
    /// The request ends.
    case done(Reason)
    /// Another attempt starts after a wait.
    case retry(after: Duration)
    /// Another attempt starts this long after the network is back.
    case retryWithNetwork(after: Duration)
    /// No further attempt is planned, because one is already under way or planned.
    case waits
  }

  /// The attempt; its times are since the origin of the client's clock.
  public let attempt: RetryAttempt
  /// What follows the attempt.
  public let next: Next
  /// The bytes of the request's body.
  public let requestBytes: Int
  /// The size of the response's body, if it was received completely.
  ///
  /// 0 if the attempt failed or was abandoned, or if the caller reads the body piece by piece.
  public let responseBytes: Int
}
