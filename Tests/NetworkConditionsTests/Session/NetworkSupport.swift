@testable import NetworkConditions

extension SimulatedNetwork {
  /// Waits until what transports and clean-ups were asked to do is done.
  func settle() async {
    await withCheckedContinuation { continuation in engine.afterWork { continuation.resume() } }
  }
}
