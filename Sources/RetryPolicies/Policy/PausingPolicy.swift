/// A policy that may refuse attempts for a while after failures, such as one behind a circuit breaker.
package protocol PausingPolicy: RetryPolicy {
  /// For how long the policy refuses attempts.
  var pause: Duration { get }
}

extension RetryPolicy {
  /// For how long this policy, or one that it wraps, may refuse attempts after failures; zero if none does.
  ///
  /// A test of a server's recovery must wait at least this long.
  package var longestPause: Duration {
    max((self as? any PausingPolicy)?.pause ?? .zero, (self as? any WrappingPolicy)?.base.longestPause ?? .zero)
  }
}
