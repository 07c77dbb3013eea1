#if !canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import LinkSimulator
  import URLLoading

  /// The only place from which to call a URLProtocol's client, and the related platform differences.
  ///
  /// On Apple platforms it is the thread that called `startLoading()`, through its run loop. Blocks run in the loop's
  /// mode at that time or in the default mode, as Apple's sample CustomHTTPProtocol documents.
  // Unchecked: a `CFRunLoop` is thread-safe, and the array never changes.
  struct ClientContext: @unchecked Sendable {
    /// Always `true`: the system asks the delegate, and starts a new protocol for each redirect.
    static func clientFollowsRedirects(of urlProtocol: URLProtocol) -> Bool { true }
    /// Always `false`: here the URL loading system itself asks the delegate.
    static func askDelegate(
      of urlProtocol: URLProtocol, whether next: URLRequest, because response: URLResponse,
      _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) -> Bool { false }

    /// Whether the system sends stored cookies with a custom protocol's requests; Apple's neither sends nor stores any.
    static let sendsCookies = false
    /// Whether only the client's `suspend()` or `cancel()` stops a protocol; Apple's system may also stop a running task.
    static let stopsOnlyByRequest = false

    static func waitsForConnectivity(_ configuration: URLSessionConfiguration) -> Bool {
      configuration.waitsForConnectivity
    }

    private let runLoop: CFRunLoop
    private let modes: CFArray
    private let thread = CurrentThread.number

    /// Creates the context of a protocol that is starting.
    init?(of urlProtocol: URLProtocol) {
      var callbacks = kCFTypeArrayCallBacks
      // Explicit types, because some headers do not say which of these are optional.
      let current: CFRunLoop? = CFRunLoopGetCurrent()
      let array: CFMutableArray? = CFArrayCreateMutable(nil, 0, &callbacks)
      guard let runLoop = current, let modes = array else { return nil }
      let mode: CFRunLoopMode? = CFRunLoopCopyCurrentMode(runLoop)
      let names: [CFRunLoopMode] = [.defaultMode] + (mode.map { [$0] } ?? [])
      for name in names { CFArrayAppendValue(modes, Unmanaged.passUnretained(name.rawValue).toOpaque()) }
      (self.runLoop, self.modes) = (runLoop, modes)
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      CFRunLoopPerformBlock(runLoop, modes, work)
      CFRunLoopWakeUp(runLoop)
    }

    func perform(at time: DispatchTime, _ work: @escaping @Sendable () -> Void) {
      DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: time) { perform(work) }
    }

    /// Runs `work` in the context and waits for it; returns `false` if the thread did not start it within `time`.
    func performAndWait(within time: Duration, _ work: @escaping @Sendable () -> Void) -> Bool {
      let isDone = DispatchSemaphore(value: 0)
      let inform: @Sendable () -> Void = {
        work()
        isDone.signal()
      }
      if CurrentThread.number == thread { inform() } else { perform(inform) }
      return SimulatedSessions.wait(for: isDone, within: time)
    }

    /// Waits until the context's earlier work is done; returns `false` if the thread is blocked.
    ///
    /// Each round of a run loop runs blocks at three points, and its sources, which deliver the system's messages,
    /// between two of them (`__CFRunLoopRun`). After four blocks in turn, the sources have therefore run once.
    func drain(within time: Duration) -> Bool {
      (0..<4).allSatisfy { _ in performAndWait(within: time) {} }
    }

    /// Marks a request as one for the real network: a registered class is asked about every session's requests, and
    /// must decline these.
    static func markReal(_ request: inout URLRequest) { set(true, realKey, in: &request) }
    static func isReal(_ request: URLRequest) -> Bool { URLProtocol.property(forKey: realKey, in: request) != nil }
    private static let realKey = "network-conditions.real"

    /// Attaches to a redirect's request two facts that the next protocol may lack: the body, and the first request's
    /// start.
    static func prepareRedirect(_ request: inout URLRequest, begun: SimulatedInstant?) {
      if let begun { set(begun.nanoseconds, begunKey, in: &request) }
      if let body = request.httpBody { set(body, request.url?.absoluteString ?? "", in: &request) }
    }
    static func keptBody(in request: URLRequest) -> Data? {
      URLProtocol.property(forKey: request.url?.absoluteString ?? "", in: request) as? Data
    }
    /// When the first request of a chain of redirects began.
    static func begun(_ request: URLRequest) -> SimulatedInstant? {
      (URLProtocol.property(forKey: begunKey, in: request) as? Int64).map(SimulatedInstant.init(nanoseconds:))
    }
    private static let begunKey = "network-conditions.begun"
    private static func set(_ value: Any, _ key: String, in request: inout URLRequest) {
      guard let marked = (request as Any as? NSURLRequest)?.mutableCopy() as? NSMutableURLRequest else { return }
      URLProtocol.setProperty(value, forKey: key, in: marked)
      request = marked as Any as? URLRequest ?? request
    }

    /// Whether a cancellation is pending: unknown here, but the system ignores what a protocol sends meanwhile.
    static func isCancelled(_ urlProtocol: URLProtocol) -> Bool { false }
    /// Whether the client can take only one piece of body; always `false` here.
    static func takesOnePiece(_ urlProtocol: URLProtocol) -> Bool { false }
    /// Reports a task's progress: does nothing, because the system counts received bytes and has no public way to
    /// report sent ones.
    ///
    /// The network's events report those.
    static func report(
      _ progress: TaskProgress, _ uploaded: (sent: Int64, expected: Int64?)?, of urlProtocol: URLProtocol,
      to callDelegate: (any URLSessionTaskDelegate)?
    ) {}
    static func callDelegate(of urlProtocol: URLProtocol) -> (any URLSessionTaskDelegate)? { nil }
  }
#endif
