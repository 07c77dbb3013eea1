/// A way to name the run to repeat: a fault schedule, a replay token, or the token's text.
public protocol ReplaySource: Sendable {
  /// The error if there is no such run; `Never` for a schedule and a token.
  associatedtype ReplayFailure: Error

  /// Returns the token of the run.
  func replayToken() throws(ReplayFailure) -> ReplayToken
}

extension FaultSchedule: ReplaySource {
  /// Returns a token of the schedule.
  public func replayToken() -> ReplayToken { ReplayToken(self) }
}

extension ReplayToken: ReplaySource {
  /// Returns the token itself.
  public func replayToken() -> ReplayToken { self }
}

extension String: ReplaySource {
  /// Reads a token as a report prints it: `netcond1:` and the rest.
  ///
  /// - Throws: ``ReplayTokenError`` if the text is not a token, or the token is damaged or stale.
  public func replayToken() throws(ReplayTokenError) -> ReplayToken { try ReplayToken(self) }
}
