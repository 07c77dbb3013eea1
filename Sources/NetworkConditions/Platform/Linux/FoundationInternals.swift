#if canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import URLLoading

  /// Private stored properties of swift-corelibs-foundation that a custom protocol needs on Linux.
  ///
  /// They are read by reflection on the task's work queue. Every use has a fallback for a Foundation without the
  /// property. Known to work with Swift 6.3.
  enum FoundationInternals {
    /// The only queue on which a task's client may be called.
    static func workQueue(of task: URLSessionTask) -> DispatchQueue? {
      taskQueue.read(from: task) as? DispatchQueue
    }

    /// The target queue of the work queues of a session's tasks.
    static func workQueue(of session: URLSession) -> DispatchQueue? {
      sessionQueue.read(from: session) as? DispatchQueue
    }

    /// The queue on which a session's native tasks receive; it has the same target queue as their work queues.
    static func receivingQueue(of session: URLSession) -> DispatchQueue? {
      (multiHandle.read(from: session) as AnyObject?).flatMap(multiHandleQueue.read) as? DispatchQueue
    }

    /// A queue whose work runs after the work of all sessions that already wait for the shared queue.
    ///
    /// A busy session holds the shared queue until its work is done. This queue belongs to a session without work,
    /// which waits its turn.
    static let turnstile = workQueue(of: URLSession(configuration: .ephemeral))

    static func session(of task: URLSessionTask) -> URLSession? {
      taskSession.read(from: task) as? URLSession
    }

    /// An upload task's body; `nil` if its delegate provides a stream.
    static func body(of task: URLSessionTask) -> Any? {
      guard let body = unwrap(knownBody.read(from: task)) else { return nil }
      return Mirror(reflecting: body).children.first?.value ?? ()
    }

    /// Whether a task has a completion handler; `nil` if unknown.
    static func hasCompletionHandler(_ task: URLSessionTask) -> Bool? {
      behaviour(of: task).map { $0.first?.label?.contains("CompletionHandler") ?? false }
    }

    /// The delegate that a client passed to an asynchronous call; `URLSessionTask.delegate` does not return it.
    static func callDelegate(of task: URLSessionTask) -> (any URLSessionTaskDelegate)? {
      guard let values = behaviour(of: task)?.first?.value else { return nil }
      return unwrap(Mirror(reflecting: values).children.dropFirst().first?.value) as? any URLSessionTaskDelegate
    }

    /// How Foundation returns a task's results (delegate or completion handler), with associated values; `nil` if
    /// unknown.
    private static func behaviour(of task: URLSessionTask) -> Mirror.Children? {
      guard let session = session(of: task), let registry = unwrap(taskRegistry.read(from: session)),
        let behaviours = Mirror(reflecting: registry).children.first(where: { $0.label == "behaviours" })?.value
      else { return nil }
      for entry in Mirror(reflecting: behaviours).children {
        let pair = Array(Mirror(reflecting: entry.value).children)
        guard pair.count == 2, pair[0].value as? Int == task.taskIdentifier else { continue }
        return Mirror(reflecting: pair[1].value).children
      }
      return nil
    }

    private static let (taskQueue, sessionQueue) = (FoundationProperty("workQueue"), FoundationProperty("workQueue"))
    private static let multiHandle = FoundationProperty("multiHandle")
    private static let multiHandleQueue = FoundationProperty("queue")
    private static let (taskSession, knownBody) = (FoundationProperty("session"), FoundationProperty("knownBody"))
    private static let taskRegistry = FoundationProperty("taskRegistry")

    static func unwrap(_ value: Any?) -> Any? {
      guard let value else { return nil }
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return value }
      return mirror.children.first?.value
    }
  }
#endif
