/// A policy that may refuse attempts for a while after failures, for example one with a circuit breaker.
package protocol PausingPolicy: RetryPolicy {
  var pause: Duration { get }
}

extension RetryPolicy {
  /// How long this policy, or one it wraps, may refuse attempts; a recovery test must wait at least this long.
  package var longestPause: Duration {
    max((self as? any PausingPolicy)?.pause ?? .zero, (self as? any WrappingPolicy)?.base.longestPause ?? .zero)
  }
}
