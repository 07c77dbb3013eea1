public import NetworkConditions

extension ClientCapture {
  /// Captures unmodified clients: all their threads, queues, tasks, timers, sleeps and clocks, and their chance.
  ///
  /// ```swift
  /// import ClientCapture
  ///
  /// let run = try await Simulation("tunnel", seed: 42, capturing: .everything) { network in
  ///   try await FeedClient(session: network.session).refresh()  // GCD, tasks, timers, the main actor: all the same
  /// }
  /// ```
  ///
  /// Whatever the closure starts belongs to its simulation, and so does what that starts. One of its threads runs at a
  /// time, until it waits; which goes on then is decided by the seed, and time jumps when none can. Clocks begin on
  /// 1 January 2026, 00:00 UTC, and stand still while code runs. Several simulations may run at once, each in its own time.
  ///
  /// It answers the calls of the process's libraries in the place of the system, which works on Linux for x86-64 and arm64
  /// with dynamically linked libraries. Whether it holds is tried before the first run, and where it does not the run is
  /// refused with ``SimulationError/captureUnavailable(_:)``. A client that does what cannot be captured ends its run with
  /// ``SimulationError/notCaptured(call:place:remedy:)``.
  public static let everything = ClientCapture(
    expression: ".everything", refusal: { await CaptureProbe.refusal.value },
    makeSurroundings: { time, seed in CaptureProbe.makeWorld(time, seed) })
}
