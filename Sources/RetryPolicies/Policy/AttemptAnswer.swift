public import URLLoading

/// The answer to an attempt, with what was sent: all that a policy may judge it by.
public struct AttemptAnswer: Sendable {
  /// The attempt.
  public let plan: AttemptPlan
  /// The request as the attempt sent it.
  public let request: URLRequest
  /// The status and the headers.
  public let response: ResponseFacts
  /// The body; empty where it is read piece by piece.
  public let body: Data

  /// Creates an answer.
  public init(plan: AttemptPlan, request: URLRequest, response: ResponseFacts, body: Data = Data()) {
    (self.plan, self.request, self.response, self.body) = (plan, request, response, body)
  }
}
