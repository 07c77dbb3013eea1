#if !canImport(FoundationNetworking)
  import URLLoading

  extension URLSessionTask {
    /// The body of an upload task that its request does not show; always `nil`, because here the request shows it.
    var ownUpload: UploadSource? { nil }

    /// The delegate queue for a transport's sessions; `nil` lets the system make one.
    static func delegateQueue() -> OperationQueue? { nil }

    func hold(in session: URLSession, then done: @escaping @Sendable () -> Void = {}) {
      suspend()
      done()
    }

    func letGo() { resume() }
  }
#endif
