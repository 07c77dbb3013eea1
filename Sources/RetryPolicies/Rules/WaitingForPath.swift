import URLLoading

/// A policy that waits until there is a network again.
private struct PathPolicy: WrappingPolicy {
  let base: any RetryPolicy
  let path: (@Sendable () async -> Void)?

  /// The errors by which a system says that it has no network for the app.
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
  /// This policy, which waits for the network after an attempt that had none, so that no attempts are spent meanwhile.
  ///
  /// The policy's own wait begins when the network is there again. Within a `Simulation` it is the simulated network, and
  /// the closure is not asked. On Apple's systems write:
  ///
  ///     policy.waitingForPath { for await path in NWPathMonitor() where path.status == .satisfied { return } }
  ///
  /// - Parameter path: returns when there is a network, and soon after its task is cancelled; `nil` leaves it at the policy's own
  ///   wait.
  public func waitingForPath(_ path: (@Sendable () async -> Void)? = nil) -> some WrappingPolicy {
    PathPolicy(base: self, path: path)
  }
}
