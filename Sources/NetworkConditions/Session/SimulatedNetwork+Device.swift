extension SimulatedNetwork {
  /// The state of the network that the device's system reports to its apps now.
  public var path: NetworkPath {
    engine.look { $0.networkPath } ?? NetworkPath(profile.schedule.phases[0].conditions)
  }

  /// The state of the network that the device's system reports now and after each change, as `NWPathMonitor` does.
  ///
  /// ```swift
  /// for await path in network.pathUpdates where path.status == .satisfied { await client.sync() }
  /// ```
  ///
  /// The profile decides: an outage that refuses is `unsatisfied`, one that drops is not known to the system, and a phase's
  /// `device` says by which interface it is connected.
  public var pathUpdates: AsyncStream<NetworkPath> {
    AsyncStream { continuation in
      let engine = engine
      let listener = EventListener(
        { event in if case .pathChanged(let path) = event.kind { continuation.yield(path) } },
        end: { continuation.finish() })
      continuation.yield(path)
      engine.add(listener)
      continuation.onTermination = { _ in engine.forget(listener) }
    }
  }

  /// Suspends the app for a while, as when its user turns to another: nothing of the network and of its clock reaches it until
  /// it goes on, and every connection is lost by then, so that requests under way fail with `networkConnectionLost`.
  ///
  /// All that is not the network's goes on: a client's code that runs, and its own clocks unless they are captured. A
  /// profile suspends the app during a phase with `"device": { "suspended": true }`.
  public func suspendApp(for duration: Duration) {
    engine.change { state in state.suspendApp(for: duration) }
  }
}
