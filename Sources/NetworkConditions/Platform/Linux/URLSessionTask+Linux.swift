#if canImport(FoundationNetworking)
  import URLLoading

  extension URLSessionTask {
    /// The queue on which a transport is told of its tasks.
    static func delegateQueue() -> OperationQueue? { BoundedDelegateQueue() }

    /// Has the task stop receiving, so that its server has to wait, and then calls `done`.
    ///
    /// Not by `suspend()`: on Linux the task would begin anew from its first byte.
    func hold(in session: URLSession, then done: @escaping @Sendable () -> Void = {}) {
      // Behind what the session receives right now, and ahead of what it would receive next.
      guard let queue = FoundationInternals.receivingQueue(of: session) else { return done() }
      queue.async {
        TransferHandle(of: self)?.setReceiving(false)
        done()
      }
    }

    /// Has the task go on receiving, as soon as all others that wait for the queue that sessions share had their turn.
    func letGo() {
      guard let queue = FoundationInternals.workQueue(of: self) else { return }
      (FoundationInternals.turnstile ?? queue).async {
        queue.async { TransferHandle(of: self)?.setReceiving(true) }
      }
    }
  }
#endif
