#if canImport(FoundationNetworking)
  import Dispatch
  import Internals
  @_spi(Reflection) import Swift
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

    private struct Property: Hashable {
      var owner: ObjectIdentifier
      var name: String
    }
    /// The offsets of properties that hold one object; reflection at each request would cost a tenth of its time.
    private static let offsets = Mutex<[Property: Int]>([:])

    /// Reads a stored property by reflection, or at its offset once that is known to hold an object.
    static func property(_ name: String, of object: AnyObject) -> Any? {
      let key = Property(owner: ObjectIdentifier(type(of: object)), name: name)
      if let offset = offsets.withLock({ $0[key] }) {
        return word(at: offset, in: object).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
      }
      var mirror: Mirror? = Mirror(reflecting: object)
      while let current = mirror {
        if let value = current.children.first(where: { $0.label == name })?.value {
          if let offset = offset(of: name, in: object), let found = unwrap(value).map({ $0 as AnyObject }),
            word(at: offset, in: object) == Unmanaged.passUnretained(found).toOpaque()
          {
            offsets.withLock { $0[key] = offset }
          }
          return value
        }
        mirror = current.superclassMirror
      }
      return nil
    }

    /// The offset of a stored property whose value may begin with a reference to an object.
    private static func offset(of name: String, in object: AnyObject) -> Int? {
      var found: Int?
      let ofClasses = _EachFieldOptions(rawValue: 1)
      _ = _forEachField(of: type(of: object), options: ofClasses) { label, offset, _, kind in
        // Other kinds may be smaller than a reference.
        if String(cString: label) == name, [.class, .existential, .optional].contains(kind) { found = offset }
        return found == nil
      }
      return found
    }

    private static func word(at offset: Int, in object: AnyObject) -> UnsafeMutableRawPointer? {
      withExtendedLifetime(object) {
        (Unmanaged.passUnretained(object).toOpaque() + offset).load(as: UnsafeMutableRawPointer?.self)
      }
    }

    static func unwrap(_ value: Any?) -> Any? {
      guard let value else { return nil }
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return value }
      return mirror.children.first?.value
    }
  }
#endif
