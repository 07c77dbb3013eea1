public import URLLoading

/// The answer to an attempt and the request that was sent, for policies that judge answers by their content.
public struct AttemptAnswer: Sendable {
  /// The attempt.
  public let plan: AttemptPlan
  /// The request as the attempt sent it.
  public let request: URLRequest
  /// The status and the headers.
  public let response: ResponseFacts
  /// The body; empty if the caller reads it piece by piece.
  public let body: Data
}
