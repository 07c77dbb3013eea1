/// What a policy answers after a failure.
public enum RetryDecision: Hashable, Sendable {
  /// Try again, this long after the end of the attempt that failed; never negative.
  case retry(after: Duration)
  /// Hand the failure to the caller.
  case stop
}
