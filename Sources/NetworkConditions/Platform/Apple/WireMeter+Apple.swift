#if !canImport(FoundationNetworking)
  import Internals
  import URLLoading

  /// Counts the bytes of a task's body as they were on the wire, before the system decoded them.
  final class WireMeter: Sendable {
    private let task = Mutex<URLSessionTask?>(nil)

    init(_ session: URLSession) {}

    /// Starts the task, whose count it reads from then on.
    func resume(_ task: URLSessionTask) {
      self.task.withLock { $0 = task }
      task.resume()
    }

    /// Reads the count, which is documented as that of what the server sent.
    func read(_ result: @escaping @Sendable (Int64?) -> Void) {
      result(task.withLock { $0?.countOfBytesReceived })
    }
  }
#endif
