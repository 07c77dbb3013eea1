#if canImport(FoundationNetworking)
  import Dispatch
  import LinkSimulator
  import URLLoading

  /// The only place from which to call a URLProtocol's client, and the related platform differences.
  ///
  /// On Linux it is the task's work queue. The client reads a registry without a lock, and crashes if called from
  /// elsewhere (measured; see `URLProtocolClient` in swift-corelibs-foundation).
  struct ClientContext {
    /// Whether the client follows redirects itself, because a delegate decides about them.
    static func clientFollowsRedirects(of urlProtocol: URLProtocol) -> Bool { urlProtocol.task?.delegate != nil }

    /// Asks the delegate for the request that follows a redirect; returns `false` if the URL loading system asks it.
    ///
    /// Foundation aborts when a custom protocol reports a redirect. So this calls the delegate as Foundation's own
    /// protocol does: on the session's delegate queue, also for tasks with completion handlers (measured).
    static func askDelegate(
      of urlProtocol: URLProtocol, whether next: URLRequest, because response: URLResponse,
      _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) -> Bool {
      guard let task = urlProtocol.task, let session = FoundationInternals.session(of: task),
        let response = response as? HTTPURLResponse
      else { return false }
      session.delegateQueue.addOperation {
        guard let delegate = task.delegate else { return decide(next) }
        delegate.urlSession(
          session, task: task, willPerformHTTPRedirection: response, newRequest: next, completionHandler: decide)
      }
      return true
    }

    /// Whether Foundation sends stored cookies.
    ///
    /// On Linux it does, but it stores no cookies from a custom protocol's responses.
    static let sendsCookies = true
    /// Whether only `suspend()` and `cancel()` stop a protocol.
    ///
    /// A task found running after such a stop was resumed meanwhile.
    static let stopsOnlyByRequest = true

    /// Always `false`: Foundation on Linux lacks the property.
    static func waitsForConnectivity(_ configuration: URLSessionConfiguration) -> Bool { false }

    private let queue: DispatchQueue

    /// Creates the context of a protocol that is starting; `nil` if its client cannot be called safely.
    init?(of urlProtocol: URLProtocol) {
      guard let queue = urlProtocol.task.flatMap(FoundationInternals.workQueue(of:)) else { return nil }
      self.queue = queue
    }

    /// Creates a session's common context: the target queue of all its tasks' contexts.
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

    /// Runs `work` on the calling thread while it holds the context; never call it inside a context.
    func performAndWait(_ work: () -> Void) {
      queue.sync(execute: work)
    }

    func drain() {
      queue.sync {}
    }

    private static let simulation = DispatchSpecificKey<Int>()

    /// Marks the queue of all contexts of a session, inside one of them; returns its delegate queue, at the first call.
    static func markSession(of urlProtocol: URLProtocol, as number: Int) -> OperationQueue? {
      if DispatchQueue.getSpecific(key: simulation) == number { return nil }
      guard let session = urlProtocol.task.flatMap(FoundationInternals.session(of:)) else { return nil }
      FoundationInternals.workQueue(of: session)?.setSpecific(key: simulation, value: number)
      return session.delegateQueue
    }

    static var isMarked: Bool { DispatchQueue.getSpecific(key: simulation) != nil }

    /// Whether the task was cancelled, but the cancellation still waits on the work queue.
    ///
    /// A message of the protocol could end the task before that, and Foundation would then abort when the cancellation
    /// looks the task up. So the protocol must send nothing.
    static func isCancelled(_ urlProtocol: URLProtocol) -> Bool {
      urlProtocol.task?.state == .canceling
    }

    /// Does nothing: Linux asks a class only about sessions whose configuration contains it.
    static func markReal(_ request: inout URLRequest) {}
    static func isReal(_ request: URLRequest) -> Bool { false }
    /// Does nothing: one protocol loads all hops.
    static func prepareRedirect(_ request: inout URLRequest, begun: SimulatedInstant?) {}
    static func begun(_ request: URLRequest) -> SimulatedInstant? { nil }
    static func keptBody(in request: URLRequest) -> Data? { nil }

    /// Whether the client gets only the last piece of a custom protocol's body.
    static func takesOnePiece(_ urlProtocol: URLProtocol) -> Bool {
      guard let task = urlProtocol.task else { return true }
      if task.delegate == nil { return true }
      return FoundationInternals.hasCompletionHandler(task) ?? false
    }

    /// The delegate that a client gave to an asynchronous call, such as `upload(for:from:delegate:)`.
    static func callDelegate(of urlProtocol: URLProtocol) -> (any URLSessionTaskDelegate)? {
      urlProtocol.task.flatMap(FoundationInternals.callDelegate)
    }

    /// Sets the task's progress and reports an upload's to the delegate, as Foundation does not for custom protocols.
    ///
    /// It runs on the delegate's queue, so that each callback sees the same values in every run.
    static func report(
      _ progress: TaskProgress, _ uploaded: (sent: Int64, expected: Int64?)?, of urlProtocol: URLProtocol,
      to callDelegate: (any URLSessionTaskDelegate)?
    ) {
      guard let task = urlProtocol.task else { return }
      guard let delegate = callDelegate ?? task.delegate, let session = FoundationInternals.session(of: task) else {
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
