#if os(Linux)
  import ClientCapture
  import Internals
  import URLLoading

  /// A task of a session that no simulated network has, which a simulation cannot run.
  struct ForeignTask {
    /// What was done, with the session and the URL.
    let call: String

    static let remedy = """
      Give the client network.session, or a session of network.sessionConfiguration; have one that knows no session but \
      URLSession.shared run within network.interceptingSharedSession or under the trait .sharedSession.
      """

    /// Refuses the tasks of other sessions than the network's when a captured client resumes them.
    ///
    /// libcurl would run them. It waits for what a simulation cannot give it, and ends the process.
    static let refuse: Void = {
      FoundationInternals.workQueue(of: URLSession.shared).map(ClientScheduler.shareQueue)
      ClientScheduler.refuseTasks { task in ForeignTask(task).map { ($0.call, remedy) } }
    }()

    /// Looks at a task that is about to be resumed; `nil` where a simulated network has it.
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
