import URLLoading

/// A simulated network as the URL loading system sees it: a thin shell that starts and stops a ``ProtocolLoader``.
///
/// There is one subclass for each session configuration (``ProtocolSlots``).
class SimulatedURLProtocol: URLProtocol {
  private var loader: ProtocolLoader?
  private var isOver = false

  /// Takes every request of its sessions: what cannot be simulated is refused, and never reaches the real network.
  override class func canInit(with request: URLRequest) -> Bool {
    if ClientContext.isReal(request) { return false }
    // A WebSocket task also asks when it will never start.
    if let binding = simulated, request.url?.scheme?.hasPrefix("ws") != true {
      binding.sessions?.willStart(binding.engine.timeSource)
    }
    return true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest {
    request
  }

  override func startLoading() {
    defer { type(of: self).sessions?.didStart() }
    // Foundation on Linux starts a protocol again after suspend() and resume(), and at every further resume().
    if let loader { return loader.resume() }
    guard !isOver else { return }
    let loader = ProtocolLoader(self)
    self.loader = loader
    loader.start()
  }

  /// The binding of this class to a network, if that is a simulation's.
  private class var simulated: SessionBinding? {
    guard SimulationDriver.isAnyActive, let binding = ProtocolSlots.binding(of: self) else { return nil }
    return binding.sessions == nil ? nil : binding
  }

  private class var sessions: SimulatedSessions? { simulated?.sessions }

  override func stopLoading() {
    let isSuspended = isSuspended
    // On Linux a task may be stopped before it was started: cancelled before its first resume(), or so soon after it that
    // the cancellation overtakes the start. The start that still comes must then do nothing, for the task is forgotten.
    guard let loader else {
      isOver = !isSuspended
      type(of: self).sessions?.didStop()
      type(of: self).sessions?.didStart()
      return
    }
    if isSuspended { loader.suspend() } else { loader.stop() }
  }

  /// Whether the task was stopped to go on later.
  private var isSuspended: Bool {
    task?.state == .suspended || (ClientContext.stopsOnlyByRequest && task?.state == .running)
  }
}
