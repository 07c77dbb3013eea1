#if !canImport(FoundationNetworking)
  import Dispatch
  import Internals
  import URLLoading

  /// The one place from which a URLProtocol's client may be called, and what differs there between platforms.
  ///
  /// On Apple platforms that is the thread that called `startLoading()`, through its run loop, in the mode that this was in
  /// then or in the default one, as Apple's sample CustomHTTPProtocol documents it.
  // Unchecked: a `CFRunLoop` is safe to use from any thread, and the array is never changed.
  struct ClientContext: @unchecked Sendable {
    /// The system follows redirects, and starts a protocol of its own for each.
    static let followsRedirects = true
    /// The system leaves cookies to its own protocol for HTTP: with a custom one it neither sends nor stores any.
    static let sendsCookies = false
    /// The system may stop a task that runs.
    static let stopsOnlyByRequest = false

    static func waitsForConnectivity(_ configuration: URLSessionConfiguration) -> Bool {
      configuration.waitsForConnectivity
    }

    private let runLoop: CFRunLoop
    private let modes: CFArray
    private let thread = CurrentThread.number

    /// The context of a protocol that is being started.
    init?(of urlProtocol: URLProtocol) {
      var callbacks = kCFTypeArrayCallBacks
      // With their types: some headers leave open which of these are optional.
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

    /// Runs `work` in the context; returns when it is done, or `false` when the thread has not come to it within `time`.
    func performAndWait(within time: Duration, _ work: @escaping @Sendable () -> Void) -> Bool {
      let isDone = DispatchSemaphore(value: 0)
      let inform: @Sendable () -> Void = {
        work()
        isDone.signal()
      }
      if CurrentThread.number == thread { inform() } else { perform(inform) }
      return SimulatedSessions.wait(for: isDone, within: time)
    }

    /// Waits until whatever was to be done here has been done; `false` when the thread is blocked.
    ///
    /// A run loop runs blocks at three points of each round, and its sources, by which the system sends messages, between two
    /// of them (`__CFRunLoopRun`). Of four blocks, each at a later point than the one before, two have the sources between
    /// them.
    func drain(within time: Duration) -> Bool {
      (0..<4).allSatisfy { _ in performAndWait(within: time) {} }
    }

    /// Marks a request for the real network: a registered class is asked about every session of the process.
    static func markReal(_ request: inout URLRequest) { set(true, realKey, in: &request) }
    static func isReal(_ request: URLRequest) -> Bool { URLProtocol.property(forKey: realKey, in: request) != nil }
    private static let realKey = "network-conditions.real"

    /// Keeps the body of a redirect's request with it by the request's URL, should the next protocol be shown none.
    static func keepBody(in request: inout URLRequest) {
      if let body = request.httpBody { set(body, request.url?.absoluteString ?? "", in: &request) }
    }
    static func keptBody(in request: URLRequest) -> Data? {
      URLProtocol.property(forKey: request.url?.absoluteString ?? "", in: request) as? Data
    }
    private static func set(_ value: Any, _ key: String, in request: inout URLRequest) {
      guard let marked = (request as Any as? NSURLRequest)?.mutableCopy() as? NSMutableURLRequest else { return }
      URLProtocol.setProperty(value, forKey: key, in: marked)
      request = marked as Any as? URLRequest ?? request
    }

    /// The system takes no note of when it carries a cancellation out; what is said in between is ignored.
    static func isCancelled(_ urlProtocol: URLProtocol) -> Bool { false }
    /// Each piece of a body reaches each kind of task.
    static func takesOnePiece(_ urlProtocol: URLProtocol) -> Bool { false }
    /// The system counts for itself what it receives, and there is no public way to report what is sent; the network's
    /// events do.
    static func report(
      _ progress: TaskProgress, _ uploaded: (sent: Int64, expected: Int64?)?, of urlProtocol: URLProtocol
    ) {}
  }
#endif
