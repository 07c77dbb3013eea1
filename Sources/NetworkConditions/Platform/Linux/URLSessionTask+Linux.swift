#if canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import URLLoading

  extension URLSessionTask {
    /// An upload task's body, or `nil` for other tasks; on Linux its request does not contain it.
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
            because: "A streamed upload needs a delegate that provides the stream (needNewBodyStream)."))
      }
      return .delegate { hand in
        session.delegateQueue.addOperation { delegate.urlSession(session, task: self, needNewBodyStream: hand) }
      }
    }

    static func delegateQueue() -> OperationQueue? { BoundedDelegateQueue() }

    /// Stops receiving, then calls `done`; used because a task on Linux would start again at its first byte after
    /// `suspend()`.
    func hold(in session: URLSession, then done: @escaping @Sendable () -> Void = {}) {
      // Runs after the data that the session is receiving now, and before the next data.
      guard let queue = FoundationInternals.receivingQueue(of: session) else { return done() }
      queue.async {
        TransferHandle(of: self)?.setReceiving(false)
        done()
      }
    }

    /// Resumes a task that was on hold, after all other work that waits for the sessions' shared queue.
    func letGo() {
      guard let queue = FoundationInternals.workQueue(of: self) else { return }
      (FoundationInternals.turnstile ?? queue).async {
        queue.async { TransferHandle(of: self)?.setReceiving(true) }
      }
    }
  }
#endif
