extension SimulatedNetwork {
  /// The present network status that the device's system reports to apps.
  public var path: NetworkPath { engine.look { $0.networkPath } ?? usualPath }

  private var usualPath: NetworkPath { NetworkPath(profile.schedule.phases[0].conditions) }

  /// The network status that the device's system reports, now and after each change, like `NWPathMonitor`.
  ///
  /// ```swift
  /// for await path in network.pathUpdates where path.status == .satisfied { await client.sync() }
  /// ```
  ///
  /// The profile decides. A `refuse` outage is `unsatisfied`. The system does not notice a `drop` outage. A phase's
  /// `device` names the interface.
  public var pathUpdates: AsyncStream<NetworkPath> {
    AsyncStream { continuation in
      let (engine, usual) = (engine, usualPath)
      let listener = EventListener(
        { event in if case .pathChanged(let path) = event.kind { continuation.yield(path) } },
        end: { continuation.finish() })
      engine.add(listener) { continuation.yield($0.networkPath ?? usual) }
      continuation.onTermination = { _ in engine.forget(listener) }
    }
  }

  /// Suspends the app for a while, as when its user switches to another app.
  ///
  /// Until the app resumes, it gets nothing from the network or its clock. It loses every connection, so that open
  /// requests fail with `networkConnectionLost`. The client's code still runs, and so do its own clocks unless they are
  /// captured. Overlapping suspensions last until the latest of their ends. A profile suspends the app during a phase
  /// with `"device": { "suspended": true }`.
  public func suspendApp(for duration: Duration) {
    engine.change { state in state.suspendApp(for: duration) }
  }
}
