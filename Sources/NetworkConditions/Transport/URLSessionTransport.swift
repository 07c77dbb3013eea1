import ClientCapture
import Internals
public import URLLoading

/// A transport to the real network, through a session of its own that knows nothing of the simulation.
///
/// Every part is handed on as it comes, on the session's delegate queue; a reply must not wait there for a task or a
/// session, since on Linux the queue that all sessions share waits until it has taken the pieces. A server that is 16 MiB
/// ahead of the simulated link is held back by its own connection until the client has caught up. The client's own
/// session keeps its part: redirects are handed on as 3xx answers, cookies and caches are off, and there is no time
/// limit. Interim answers (100, 102, 103) are left out, as URLSession does on Apple's systems. An answer that the
/// system
/// has decoded (gzip, deflate, br) is handed on decoded, with the head that came, as every session shows it; the simulated
/// link carries the bytes that were on the wire. Where they cannot be counted they are what `Content-Length` says, and
/// without one the decoded size is taken, which ``Transfer/isSizeAssumed`` then says.
///
/// A request's body is stored in whole before it is forwarded: the simulated upload comes first, and on Linux a body
/// that streams would block the one queue that all sessions of the process share, since it is read with a blocking
/// `InputStream.read` there.
///
/// On Linux an answer in chunks with trailer fields ends the process: Foundation itself traps on one, in any session.
///
/// Errors have the code that URLSession gives on Apple's systems: a connection that ends before its answer does is
/// `networkConnectionLost`, where Linux says `unknown` or `badServerResponse`.
public final class URLSessionTransport: Transport {
  /// Longer than any request: the simulation enforces the client's time limits itself.
  ///
  /// In whole seconds, since Linux cuts off the fraction.
  private static let noTimeLimit: TimeInterval = 7 * 24 * 60 * 60

  /// What the session is made of; `nil` is an ephemeral one, made when it is needed: most stubs never ask for it.
  private let configuration: URLSessionConfiguration?
  private let receiver = URLSessionReceiver()
  private let session = Mutex<URLSession?>(nil)
  /// Creating, resuming and cancelling a task waits for the session's queue on Linux, and traps when called on it.
  private let queue = DispatchQueue(label: "URLSessionTransport")

  /// Creates a transport; its session is made with the first request.
  ///
  /// - Parameter configuration: for proxies, TLS and the like; an ephemeral one unless given. It is copied, and what
  ///   belongs to the client's session is switched off: cookies, caches, credentials, time limits, simulated protocols.
  public init(configuration: URLSessionConfiguration? = nil) {
    self.configuration = configuration.map(Self.inner)
  }

  deinit {
    session.withLock { $0?.finishTasksAndInvalidate() }
  }

  /// Asks the real server.
  ///
  /// A scheme other than http and https fails with `URLError(.unsupportedURL)`.
  public func respond(to request: TransportRequest, with reply: any TransportReply) {
    if let refusal = URLError.refusal(of: request.request.url) { return reply.fail(refusal) }
    reply.waitOutside()
    queue.async { [self] in send(request, reply) }
  }

  private func send(_ request: TransportRequest, _ reply: any TransportReply) {
    let (task, session) = task(for: request)
    let meter = WireMeter(session)
    receiver.expect(reply, for: task, meteredBy: meter)
    reply.onCancel { [queue] in
      // A task that receives at full speed would keep its own cancellation off the queue.
      RealTime.run { task.hold(in: session) { queue.async { task.cancel() } } }
    }
    meter.resume(task)
  }

  private func task(for request: TransportRequest) -> (URLSessionTask, URLSession) {
    let session = session.withLock { session in
      if let session { return session }
      let made = URLSession(
        configuration: configuration ?? Self.inner(.ephemeral), delegate: receiver,
        delegateQueue: URLSessionTask.delegateQueue())
      session = made
      return made
    }
    var inner = request.request
    inner.url = inner.url.map(FoundationLimits.loadable)
    inner.timeoutInterval = Self.noTimeLimit
    inner.cachePolicy = .reloadIgnoringLocalCacheData
    inner.httpShouldHandleCookies = false
    inner.httpBodyStream = nil
    inner.httpBody = nil
    // The session sets these from the body and the connection it really has.
    for name in ["Content-Length", "Transfer-Encoding", "Connection"] { inner.setValue(nil, forHTTPHeaderField: name) }
    ClientContext.markReal(&inner)
    switch request.body {
    case .empty: break
    // A data task would add a type to a body that has none.
    case .data(let data): return (session.uploadTask(with: inner, from: data), session)
    case .file(let url, _): return (session.uploadTask(with: inner, fromFile: url), session)
    }
    return (session.dataTask(with: inner), session)
  }

  private static func inner(_ given: URLSessionConfiguration) -> URLSessionConfiguration {
    // Foundation documents the copy, and its type has been this on every system since the first.
    guard let copy = given.copy() as? URLSessionConfiguration else { return .ephemeral }
    copy.protocolClasses = copy.protocolClasses?.filter { !($0 is SimulatedURLProtocol.Type) }
    copy.httpCookieStorage = nil
    copy.httpShouldSetCookies = false
    copy.httpCookieAcceptPolicy = .never
    copy.urlCache = nil
    copy.urlCredentialStorage = nil
    copy.requestCachePolicy = .reloadIgnoringLocalCacheData
    copy.timeoutIntervalForRequest = noTimeLimit
    copy.timeoutIntervalForResource = noTimeLimit
    // The simulation limits connections itself; here a request never waits for another.
    copy.httpMaximumConnectionsPerHost = 10_000
    return copy
  }
}
