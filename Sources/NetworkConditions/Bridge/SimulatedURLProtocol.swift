import URLLoading

/// A simulated network as a URLProtocol: a thin shell that starts and stops a ``ProtocolLoader``.
///
/// There is one subclass for each session configuration (``ProtocolSlots``).
class SimulatedURLProtocol: URLProtocol {
  private var loader: ProtocolLoader?
  private var isOver = false

  /// Accepts every request of its sessions, so that none reaches the real network; the loader refuses unsupported ones.
  override class func canInit(with request: URLRequest) -> Bool {
    if ClientContext.isReal(request) { return false }
    // A WebSocket task calls this too, but never starts.
    if let binding = simulated, request.url?.scheme?.hasPrefix("ws") != true {
      // Code outside of the run has copied the configuration of an adopted session. Its requests are real.
      if binding.isAdopted, binding.engine.simulation?.isCapturing == true, !SimulationDriver.isDriving { return false }
      binding.sessions?.willStart(binding.engine.simulation)
    }
    return true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest {
    request
  }

  override func startLoading() {
    defer { type(of: self).sessions?.didStart() }
    // On Linux, Foundation starts a protocol again after suspend() and resume(), and at every further resume().
    if let loader { return loader.suspend(false) }
    guard !isOver else { return }
    let loader = ProtocolLoader(self)
    self.loader = loader
    loader.start()
  }

  /// This class's binding to a network, if the network belongs to a simulation.
  private class var simulated: SessionBinding? {
    guard let binding = ProtocolSlots.binding(of: self) else { return nil }
    return binding.sessions == nil ? nil : binding
  }

  private class var sessions: SimulatedSessions? { simulated?.sessions }

  override func stopLoading() {
    let isSuspended = isSuspended
    // Linux may stop a task before its start: a cancellation before the first resume(), or right after it, overtakes
    // the start. The late start must do nothing, because the task is already removed.
    guard let loader else {
      isOver = !isSuspended
      type(of: self).sessions?.didStop()
      type(of: self).sessions?.didStart()
      return
    }
    if isSuspended { loader.suspend(true) } else { loader.stop() }
  }

  /// Whether the system stopped the protocol because the task was suspended, not because it ended.
  private var isSuspended: Bool {
    task?.state == .suspended || (ClientContext.stopsOnlyByRequest && task?.state == .running)
  }
}
