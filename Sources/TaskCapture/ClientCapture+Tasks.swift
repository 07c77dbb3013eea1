public import NetworkConditions

extension ClientCapture {
  /// Captures unmodified clients: `Task.sleep`, `Task {}`, `Task.detached`, `async let` and hops to the main actor run in
  /// virtual time, on the simulation's thread.
  ///
  /// ```swift
  /// import TaskCapture
  ///
  /// let run = try await Simulation("tunnel", seed: 42, capturing: .tasks) { network in
  ///   try await FeedClient(session: network.session).refresh()  // calls Task.sleep between its attempts
  /// }
  /// ```
  ///
  /// It relies on private interfaces of Swift 6.3 for Linux, so it is checked before the first run, and refused with
  /// ``SimulationError/captureUnavailable(_:)`` where they are not as known. What still runs elsewhere (custom executors,
  /// GCD, threads, an actor that sleeps) makes the run fail with ``SimulationError/leaked(jobs:)`` instead of being wrong.
  ///
  /// Clocks are not captured: `Date()` and `ContinuousClock.now` show real time. `Task.sleep(for:)` computes its deadline from
  /// such a clock before anybody sees it; what it asked for is restored as the roundest duration that fits, else rounded
  /// up to a millisecond.
  public static let tasks = ClientCapture(
    forbidsEscapes: true, expression: ".tasks", refusal: { await TaskCapture.refusal.value },
    makeExecutor: { time in TaskCapture.makeExecutor(for: time) })
}
