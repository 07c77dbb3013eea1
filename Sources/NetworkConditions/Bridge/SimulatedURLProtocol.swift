import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the URL loading system sees of a simulated network: a thin shell that starts and stops a ``ProtocolLoader``.
///
/// There is one subclass for each session configuration (``ProtocolSlots``).
class SimulatedURLProtocol: URLProtocol {
  private var loader: ProtocolLoader?
  private var isOver = false

  override class func canInit(with request: URLRequest) -> Bool {
    guard let scheme = request.url?.scheme else { return false }
    return scheme == "https" || scheme == "http" || ["http", "https"].contains(scheme.lowercased())
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest {
    request
  }

  override func startLoading() {
    // Foundation on Linux starts a protocol again after suspend() and resume(), and at every further resume().
    if let loader { return loader.resume() }
    guard !isOver else { return }
    let loader = ProtocolLoader(self)
    self.loader = loader
    loader.start()
  }

  override func stopLoading() {
    let isSuspended = task?.state == .suspended
    // On Linux a task may be stopped before it was started: cancelled before its first resume(), or so soon after it that
    // the cancellation overtakes the start. The start that still comes must then do nothing, for the task is forgotten.
    guard let loader else {
      isOver = !isSuspended
      return
    }
    if isSuspended { loader.suspend() } else { loader.stop() }
  }
}
