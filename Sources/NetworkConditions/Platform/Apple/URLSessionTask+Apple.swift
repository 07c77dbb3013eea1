#if !canImport(FoundationNetworking)
  import URLLoading

  extension URLSessionTask {
    /// The body of an upload task where its request does not show it: the system gives each protocol a request that does.
    var ownUpload: UploadSource? { nil }

    /// The queue on which a transport is told of its tasks: one that the system makes.
    static func delegateQueue() -> OperationQueue? { nil }

    /// Has the task stop receiving, so that its server has to wait, and then calls `done`.
    func hold(in session: URLSession, then done: @escaping @Sendable () -> Void = {}) {
      suspend()
      done()
    }

    /// Has the task go on receiving.
    func letGo() { resume() }
  }
#endif
