#if os(Linux)
  import ClientCapture
  import Internals
  import URLLoading

  /// A task of a session outside of all simulated networks, which a simulation cannot run.
  struct ForeignTask {
    /// What the client did, with the session and the URL.
    let call: String

    static let remedy = """
      Give the client network.session, or a session of network.sessionConfiguration. If it can only use \
      URLSession.shared, run it within network.interceptingSharedSession or under the trait .sharedSession.
      """

    /// Refuses tasks of foreign sessions when a captured client resumes them.
    ///
    /// libcurl would run them, wait for something that a simulation does not provide, and end the process.
    static let refuse: Void = {
      FoundationInternals.workQueue(of: URLSession.shared).map(ClientScheduler.shareQueue)
      ClientScheduler.refuseTasks { task in ForeignTask(task).map { ($0.call, remedy) } }
    }()

    /// Examines a task before it is resumed; `nil` if it belongs to a simulated network.
    private init?(_ pointer: UnsafeMutableRawPointer) {
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
