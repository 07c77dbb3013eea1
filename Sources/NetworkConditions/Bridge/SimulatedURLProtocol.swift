import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the URL loading system sees of a simulated network: a thin shell that starts and stops a ``ProtocolLoader``.
///
/// There is one subclass for each session configuration (``ProtocolSlots``).
class SimulatedURLProtocol: URLProtocol {
  private var loader: ProtocolLoader?

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
    let loader = ProtocolLoader(self)
    self.loader = loader
    loader.start()
  }

  override func stopLoading() {
    // On Linux, a task that is cancelled before its first resume() is stopped without ever having been started.
    guard let loader else { return }
    if task?.state == .suspended { loader.suspend() } else { loader.stop() }
  }
}
