import Synchronization
import URLLoading

/// What the URL loading system sees of a simulated network: a thin shell that starts and stops a ``ProtocolLoader``.
///
/// There is one subclass for each session configuration (``ProtocolSlots``).
class SimulatedURLProtocol: URLProtocol {
  private var loader: ProtocolLoader?
  private var isOver = false

  /// Takes every request of its sessions: what cannot be simulated is refused, and never reaches the real network.
  override class func canInit(with request: URLRequest) -> Bool {
    // A WebSocket task also asks when it will never start.
    if let driver, request.url?.scheme?.hasPrefix("ws") != true { driver.sessionWillStart() }
    return true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest {
    request
  }

  override func startLoading() {
    defer { type(of: self).driver?.sessionDidStart() }
    // Foundation on Linux starts a protocol again after suspend() and resume(), and at every further resume().
    if let loader { return loader.resume() }
    guard !isOver else { return }
    let loader = ProtocolLoader(self)
    self.loader = loader
    loader.start()
  }

  /// Who lets time pass, when requests of this class belong to a simulation.
  private class var driver: SimulationDriver? {
    guard SimulationDriver.activeCount.load(ordering: .relaxed) > 0 else { return nil }
    return ProtocolSlots.binding(of: self)?.engine.driver
  }

  override func stopLoading() {
    let isSuspended = task?.state == .suspended
    // On Linux a task may be stopped before it was started: cancelled before its first resume(), or so soon after it that
    // the cancellation overtakes the start. The start that still comes must then do nothing, for the task is forgotten.
    guard let loader else {
      isOver = !isSuspended
      type(of: self).driver?.sessionDidStop()
      type(of: self).driver?.sessionDidStart()
      return
    }
    if isSuspended { loader.suspend() } else { loader.stop() }
  }
}
