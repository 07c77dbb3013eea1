@testable import NetworkConditions

extension SimulatedNetwork {
  /// Waits until the queued work of transports and clean-ups is done.
  func settle() async {
    await withCheckedContinuation { continuation in engine.timeSource.perform { continuation.resume() } }
  }
}

#if canImport(FoundationNetworking)
  /// The remedy in the error of a refused run.
  let remedyForRefused = CaptureMode.obstacle ?? "Leave out `capturing: .nothing`"
#else
  /// The remedy in the error of a refused run on a platform without capture.
  let remedyForRefused = "Use network.session"
#endif
