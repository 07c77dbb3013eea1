#if os(Linux)
  import Internals
  import URLLoading

  /// A task of a session that no simulated network has, which a simulation cannot run.
  package struct ForeignTask {
    /// What was done, with the session and the URL.
    package let call: String

    package static let remedy = """
      Give the client network.session, or a session of network.sessionConfiguration; have one that knows no session but \
      URLSession.shared run within network.interceptingSharedSession or under the trait .sharedSession.
      """

    /// Looks at a task that is about to be resumed; `nil` where a simulated network has it.
    package init?(_ pointer: UnsafeMutableRawPointer) {
      guard let task = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? URLSessionTask,
        let session = FoundationInternals.session(of: task)
      else { return nil }
      if session.configuration.protocolClasses?.contains(where: { $0 is SimulatedURLProtocol.Type }) == true {
        return nil
      }
      let url = task.originalRequest?.url.map { Redaction.standard.url($0.absoluteString) } ?? "no URL"
      let name = session === URLSession.shared ? "URLSession.shared" : "a session that the client made itself"
      call = "A request to \(url) was resumed in \(name), which is not the network's"
    }
  }
#endif
