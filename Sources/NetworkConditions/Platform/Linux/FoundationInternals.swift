#if canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import URLLoading

  /// The few stored properties of swift-corelibs-foundation's own that a custom protocol cannot do without on Linux.
  ///
  /// They are read by reflection, on the task's work queue, and everything that depends on one has an answer for the day
  /// when it is no longer there. Known to hold for Swift 6.3.
  enum FoundationInternals {
    /// The queue on which alone a task's client may be called.
    static func workQueue(of task: URLSessionTask) -> DispatchQueue? {
      property("workQueue", of: task) as? DispatchQueue
    }

    /// The queue that the work queues of a session's tasks end in.
    static func workQueue(of session: URLSession) -> DispatchQueue? {
      property("workQueue", of: session) as? DispatchQueue
    }

    /// The queue on which the native tasks of a session receive, which ends in the same one as their work queues.
    static func receivingQueue(of session: URLSession) -> DispatchQueue? {
      (property("multiHandle", of: session) as AnyObject?).flatMap { property("queue", of: $0) } as? DispatchQueue
    }

    /// A queue whose work runs once all sessions that wait for the queue that they share had their turn.
    ///
    /// A session that has work keeps that queue until it has none; this is the work queue of one that never has any.
    static let turnstile = workQueue(of: URLSession(configuration: .ephemeral))

    /// The session of a task.
    static func session(of task: URLSessionTask) -> URLSession? {
      property("session", of: task) as? URLSession
    }

    /// The body of an upload task; `nil` when the delegate provides a stream.
    static func body(of task: URLSessionTask) -> Any? {
      guard let body = unwrap(property("knownBody", of: task)) else { return nil }
      return Mirror(reflecting: body).children.first?.value ?? ()
    }

    /// Whether a task answers to a completion handler; `nil` when that cannot be told.
    static func hasCompletionHandler(_ task: URLSessionTask) -> Bool? {
      guard let session = session(of: task), let registry = unwrap(property("taskRegistry", of: session)),
        let behaviours = Mirror(reflecting: registry).children.first(where: { $0.label == "behaviours" })?.value
      else { return nil }
      for entry in Mirror(reflecting: behaviours).children {
        let pair = Array(Mirror(reflecting: entry.value).children)
        guard pair.count == 2, pair[0].value as? Int == task.taskIdentifier else { continue }
        return Mirror(reflecting: pair[1].value).children.first?.label?.contains("CompletionHandler") ?? false
      }
      return nil
    }

    /// Where a class keeps a property: which of its ancestors' mirrors, and which child there.
    private struct Place: Hashable {
      var depth: Int
      var offset: Int
    }
    private struct Property: Hashable {
      var owner: ObjectIdentifier
      var name: String
    }
    private static let places = Mutex<[Property: Place]>([:])

    /// One stored property of an object, found by name once for each class and by place from then on.
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

    /// Returns the value of an optional that hides behind `Any`.
    static func unwrap(_ value: Any?) -> Any? {
      guard let value else { return nil }
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return value }
      return mirror.children.first?.value
    }
  }
#endif
