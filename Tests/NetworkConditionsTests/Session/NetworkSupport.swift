@testable import NetworkConditions

extension SimulatedNetwork {
  /// Waits until what transports and clean-ups were asked to do is done.
  func settle() async {
    await withCheckedContinuation { continuation in engine.timeSource.perform { continuation.resume() } }
  }
}

#if canImport(FoundationNetworking)
  /// What a client that a simulation refuses is told to take instead.
  let remedyForRefused = CaptureMode.obstacle ?? "Leave out `capturing: .nothing`"
#else
  /// What a client that a simulation refuses is told to take instead, where nothing can be captured.
  let remedyForRefused = "Use network.session"
#endif
