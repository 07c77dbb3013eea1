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
      property("workQueue", of: task) as? DispatchQueue
    }

    /// The target queue of the work queues of a session's tasks.
    static func workQueue(of session: URLSession) -> DispatchQueue? {
      property("workQueue", of: session) as? DispatchQueue
    }

    /// The queue on which a session's native tasks receive; it has the same target queue as their work queues.
    static func receivingQueue(of session: URLSession) -> DispatchQueue? {
      (property("multiHandle", of: session) as AnyObject?).flatMap { property("queue", of: $0) } as? DispatchQueue
    }

    /// A queue whose work runs after the work of all sessions that already wait for the shared queue.
    ///
    /// A busy session holds the shared queue until its work is done. This queue belongs to a session without work,
    /// which waits its turn.
    static let turnstile = workQueue(of: URLSession(configuration: .ephemeral))

    static func session(of task: URLSessionTask) -> URLSession? {
      property("session", of: task) as? URLSession
    }

    /// An upload task's body; `nil` if its delegate provides a stream.
    static func body(of task: URLSessionTask) -> Any? {
      guard let body = unwrap(property("knownBody", of: task)) else { return nil }
      return Mirror(reflecting: body).children.first?.value ?? ()
    }

    /// Whether a task has a completion handler; `nil` if unknown.
    static func hasCompletionHandler(_ task: URLSessionTask) -> Bool? {
      behaviour(of: task).map { $0.first?.label?.contains("CompletionHandler") ?? false }
    }

    /// The delegate that a client gave to an asynchronous call; `URLSessionTask.delegate` does not know it.
    static func callDelegate(of task: URLSessionTask) -> (any URLSessionTaskDelegate)? {
      guard let values = behaviour(of: task)?.first?.value else { return nil }
      return unwrap(Mirror(reflecting: values).children.dropFirst().first?.value) as? any URLSessionTaskDelegate
    }

    /// The associated values of what Foundation does with a task's results; `nil` if unknown.
    private static func behaviour(of task: URLSessionTask) -> Mirror.Children? {
      guard let session = session(of: task), let registry = unwrap(property("taskRegistry", of: session)),
        let behaviours = Mirror(reflecting: registry).children.first(where: { $0.label == "behaviours" })?.value
      else { return nil }
      for entry in Mirror(reflecting: behaviours).children {
        let pair = Array(Mirror(reflecting: entry.value).children)
        guard pair.count == 2, pair[0].value as? Int == task.taskIdentifier else { continue }
        return Mirror(reflecting: pair[1].value).children
      }
      return nil
    }

    /// A property's place: the number of superclasses up to its class, and its index in that class's mirror.
    private struct Place: Hashable {
      var depth: Int
      var offset: Int
    }
    private struct Property: Hashable {
      var owner: ObjectIdentifier
      var name: String
    }
    private static let places = Mutex<[Property: Place]>([:])

    /// Reads a stored property; searches by name once per class, and then uses its place.
    static func property(_ name: String, of object: AnyObject) -> Any? {
      let key = Property(owner: ObjectIdentifier(type(of: object)), name: name)
      if let place = places.withLock({ $0[key] }) {
        var mirror: Mirror? = Mirror(reflecting: object)
        for _ in 0..<place.depth { mirror = mirror?.superclassMirror }
        guard let children = mirror?.children, place.offset < children.count else { return nil }
        return children[children.index(children.startIndex, offsetBy: place.offset)].value
      }
      var mirror: Mirror? = Mirror(reflecting: object)
      var depth = 0
      while let current = mirror {
        for (offset, child) in current.children.enumerated() where child.label == name {
          places.withLock { $0[key] = Place(depth: depth, offset: offset) }
          return child.value
        }
        mirror = current.superclassMirror
        depth += 1
      }
      return nil
    }

    static func unwrap(_ value: Any?) -> Any? {
      guard let value else { return nil }
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return value }
      return mirror.children.first?.value
    }
  }
#endif
