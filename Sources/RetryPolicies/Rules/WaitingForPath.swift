import URLLoading

private struct PathPolicy: WrappingPolicy {
  let base: any RetryPolicy
  let path: (@Sendable () async -> Void)?

  /// The errors with which a system reports that the app has no network.
  private static let offline: Set<URLError.Code> = [
    .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed,
  ]

  func hold(after attempt: RetryAttempt, of request: RetryRequest) -> (@Sendable () async -> Void)? {
    guard let code = attempt.outcome.errorCode, Self.offline.contains(code) else {
      return base.hold(after: attempt, of: request)
    }
    return LoaderTime.current?.path ?? path
  }
}

extension RetryPolicy {
  /// This policy, which waits for the network after an attempt without one, so that no attempts are wasted.
  ///
  /// The policy's own wait begins when the network is back. Within a `Simulation` the simulated network counts, and the
  /// closure is not called. On Apple's systems write:
  ///
  ///     policy.waitingForPath { for await path in NWPathMonitor() where path.status == .satisfied { return } }
  ///
  /// - Parameter path: returns when the network is back, and soon after its task is cancelled; with `nil` only the policy's
  ///   own wait applies.
  public func waitingForPath(_ path: (@Sendable () async -> Void)? = nil) -> some WrappingPolicy {
    PathPolicy(base: self, path: path)
  }
}
