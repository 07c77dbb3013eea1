#if canImport(FoundationNetworking)
  import Dispatch
  import URLLoading

  /// The one place from which a URLProtocol's client may be called, and what differs there between platforms.
  ///
  /// On Linux that is the task's own work queue: the client reads an unlocked registry, and called from anywhere else it
  /// crashes (measured; see `URLProtocolClient` in swift-corelibs-foundation).
  struct ClientContext {
    /// Foundation on Linux follows no redirect that a custom protocol reports: it aborts.
    static let followsRedirects = false
    /// Foundation on Linux sends a session's cookies with each request, but stores none that a custom protocol brings.
    static let sendsCookies = true
    /// A task is stopped by `suspend()` and `cancel()` alone: one that runs was resumed by another thread since.
    static let stopsOnlyByRequest = true

    /// Always `false`: the property is unavailable in Foundation on Linux.
    static func waitsForConnectivity(_ configuration: URLSessionConfiguration) -> Bool { false }

    private let queue: DispatchQueue

    /// The context of a protocol that is being started; `nil` when there is no safe place to call its client from.
    init?(of urlProtocol: URLProtocol) {
      guard let queue = urlProtocol.task.flatMap(FoundationInternals.workQueue(of:)) else { return nil }
      self.queue = queue
    }

    /// The context that those of all tasks of a session lead to.
    init?(of session: URLSession) {
      guard let queue = FoundationInternals.workQueue(of: session) else { return nil }
      self.queue = queue
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      queue.async(execute: work)
    }

    func perform(at time: DispatchTime, _ work: @escaping @Sendable () -> Void) {
      queue.asyncAfter(deadline: time, execute: work)
    }

    /// Runs `work` on the calling thread, which keeps the context meanwhile; not to be called within one.
    func performAndWait(_ work: () -> Void) {
      queue.sync(execute: work)
    }

    /// Waits until all work that was queued here is done.
    func drain() {
      queue.sync {}
    }

    private static let simulation = DispatchSpecificKey<Int>()

    /// Marks all contexts of a protocol's session as a simulation's; to be called in one of them.
    ///
    /// The queue that they all lead to is marked, once: a queue with a mark takes a thread's turn to be disposed of.
    ///
    /// - Returns: on which queue the session's delegate is called; `nil` where it was marked before.
    static func markSession(of urlProtocol: URLProtocol, as number: Int) -> OperationQueue? {
      if DispatchQueue.getSpecific(key: simulation) == number { return nil }
      guard let session = urlProtocol.task.flatMap(FoundationInternals.session(of:)) else { return nil }
      FoundationInternals.workQueue(of: session)?.setSpecific(key: simulation, value: number)
      return session.delegateQueue
    }

    /// Whether the caller is in a context that was marked.
    static var isMarked: Bool { DispatchQueue.getSpecific(key: simulation) != nil }

    /// Whether the task was cancelled, and its cancellation waits on the work queue behind whatever runs now.
    ///
    /// Foundation looks the task up again when it carries the cancellation out. A message of the protocol's in between
    /// could end the task, so that Foundation forgets it and the look-up aborts the process: it must send none.
    static func isCancelled(_ urlProtocol: URLProtocol) -> Bool {
      urlProtocol.task?.state == .canceling
    }

    /// A class is asked about the sessions that have it in their configuration, and no others: no mark is needed.
    static func markReal(_ request: inout URLRequest) {}
    static func isReal(_ request: URLRequest) -> Bool { false }
    /// Redirects are followed within one protocol.
    static func keepBody(in request: inout URLRequest) {}
    static func keptBody(in request: URLRequest) -> Data? { nil }

    /// Whether the task's client gets only the last piece of body that a custom protocol gives it.
    static func takesOnePiece(_ urlProtocol: URLProtocol) -> Bool {
      guard let task = urlProtocol.task else { return true }
      if task.delegate == nil { return true }
      return FoundationInternals.hasCompletionHandler(task) ?? false
    }

    /// Sets how far a task is, and tells its delegate how far an upload is: for a custom protocol Foundation does neither.
    ///
    /// In the delegate's own queue, so that what it sees at each call does not depend on who is faster.
    static func report(
      _ progress: TaskProgress, _ uploaded: (sent: Int64, expected: Int64?)?, of urlProtocol: URLProtocol
    ) {
      guard let task = urlProtocol.task else { return }
      guard let delegate = task.delegate, let session = FoundationInternals.session(of: task) else {
        return progress.set(in: task.progress)
      }
      session.delegateQueue.addOperation {
        progress.set(in: task.progress)
        guard let (sent, expected) = uploaded, sent > 0 else { return }
        delegate.urlSession(
          session, task: task, didSendBodyData: progress.justSent, totalBytesSent: sent,
          totalBytesExpectedToSend: expected ?? -1)
      }
    }
  }
#endif
