#if canImport(FoundationNetworking)
  import Dispatch
  import URLLoading

  /// Counts a body's bytes on the wire, before the system decodes them.
  ///
  /// libcurl counts them. The meter asks it through the task's handle, on the only queue that may use it. The count is
  /// `nil` if Foundation has no handle or hides it. Unchecked, because only that queue uses the handle.
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

    /// Starts the task and finds its handle before any bytes arrive; the handle is gone after the task's end.
    func resume(_ task: URLSessionTask) {
      receivingQueue?.suspend()
      task.resume()
      workQueue?.async { [self] in handle = TransferHandle(of: task) }
      receivingQueue?.resume()
    }

    /// Reads the count after all earlier bytes were delivered, and passes it to `result` on the delegate's queue.
    func read(_ result: @escaping @Sendable (Int64?) -> Void) {
      guard let workQueue, let delegateQueue else { return result(nil) }
      workQueue.async { [self] in
        let count = handle?.bodyBytes
        delegateQueue.run { result(count) }
      }
    }
  }
#endif
