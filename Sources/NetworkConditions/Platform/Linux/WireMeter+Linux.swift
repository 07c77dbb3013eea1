#if canImport(FoundationNetworking)
  import Dispatch
  import URLLoading

  /// Counts the bytes of a task's body as they were on the wire, before the system decoded them.
  ///
  /// libcurl counts them: it is asked through the handle that Foundation keeps for the task, on the queue on which alone that
  /// may be used. Where there is none, or Foundation hides it, the count is `nil`. Unchecked, since the handle is used on that
  /// queue only.
  final class WireMeter: @unchecked Sendable {
    private let workQueue: DispatchQueue?
    private let receivingQueue: DispatchQueue?
    private let delegateQueue: BoundedDelegateQueue?
    private var handle: TransferHandle?

    init(_ session: URLSession) {
      workQueue = FoundationInternals.workQueue(of: session)
      receivingQueue = FoundationInternals.receivingQueue(of: session)
      delegateQueue = session.delegateQueue as? BoundedDelegateQueue
    }

    deinit {
      guard let workQueue, let owner = handle?.owner else { return }
      nonisolated(unsafe) let last = owner
      workQueue.async { withExtendedLifetime(last) {} }
    }

    /// Starts the task, and finds its handle before it receives anything: the handle is gone when the task has ended.
    func resume(_ task: URLSessionTask) {
      receivingQueue?.suspend()
      task.resume()
      workQueue?.async { [self] in handle = TransferHandle(of: task) }
      receivingQueue?.resume()
    }

    /// Reads the count as it is when all that came before has been handed over, and gives it on the delegate's queue.
    func read(_ result: @escaping @Sendable (Int64?) -> Void) {
      guard let workQueue, let delegateQueue else { return result(nil) }
      workQueue.async { [self] in
        let count = handle?.bodyBytes
        delegateQueue.run { result(count) }
      }
    }
  }
#endif
