/// What a policy answers after a failure.
public enum RetryDecision: Hashable, Sendable {
  /// Try again, this long after the end of the attempt that failed; never negative.
  case retry(after: Duration)
  /// Leave it to the attempts that are under way, and to the hedge that is due; without any of them it is ``stop``.
  case wait
  /// No further attempt is made; when none is under way, the failure is handed to the caller.
  case stop
}
