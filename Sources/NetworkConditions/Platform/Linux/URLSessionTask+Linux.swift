#if canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import URLLoading

  extension URLSessionTask {
    /// The body of an upload task, which shows nothing in its request on Linux, and leaves aside what body that has; `nil` of
    /// any other.
    var ownUpload: UploadSource? {
      guard type(of: self) != URLSessionDataTask.self, self is URLSessionUploadTask else { return nil }
      guard let value = FoundationInternals.body(of: self) else { return uploadOfDelegate }
      return switch value {
      case let data as DispatchData: .whole(RequestBody(Data(data)))
      case let file as URL: .fromFile(file)
      case let stream as InputStream: .stream(stream)
      default: .whole(.empty)
      }
    }

    private var uploadOfDelegate: UploadSource {
      guard let delegate, let session = FoundationInternals.session(of: self) else {
        return .failed(
          .refused(
            .unreadableUpload, .requestBodyStreamExhausted, url: originalRequest?.url,
            because: "A streamed upload needs a delegate that gives the stream (needNewBodyStream)."))
      }
      return .delegate { hand in
        session.delegateQueue.addOperation { delegate.urlSession(session, task: self, needNewBodyStream: hand) }
      }
    }

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
