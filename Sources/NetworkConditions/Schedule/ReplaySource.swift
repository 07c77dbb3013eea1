/// Something that says which run is to be repeated: a schedule of faults, a replay token, or the token's text.
public protocol ReplaySource: Sendable {
  /// Why there may be nothing to repeat; `Never` of a schedule and a token.
  associatedtype ReplayFailure: Error

  /// Returns the token that decides the run.
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
  /// Reads a token: `netcond1:` and what follows, as a report prints it.
  ///
  /// - Throws: ``ReplayTokenError`` where the text is no token, or one that is damaged or stale.
  public func replayToken() throws(ReplayTokenError) -> ReplayToken { try ReplayToken(self) }
}
