import ClientCapture
import Internals
public import URLLoading

/// A transport to the real network, through its own session outside of the simulation.
///
/// It passes on each part as it comes, on the session's delegate queue. A reply must not wait there for a task or a
/// session: on Linux the queue that all sessions share waits until the pieces are taken. A server that is 16 MiB ahead
/// of the simulated link must wait, because its connection is not read until the client has caught up.
///
/// Other tasks remain with the client's session: redirects are passed on as 3xx answers, cookies and caches are off,
/// and there is no timeout. Interim answers (100, 102, 103) are left out, like URLSession does on Apple's systems. An
/// answer that the system has decoded (gzip, deflate, br) is passed on decoded, with its original head. The simulated
/// link carries the bytes on the wire. If they cannot be counted, the `Content-Length` counts, or without one the
/// decoded size (``Transfer/isSizeAssumed``).
///
/// A request's whole body is stored before it is sent on, because the simulated upload comes first. Also, Linux reads a
/// streamed body with a blocking `InputStream.read`, which would block the queue that all sessions share.
///
/// On Linux a chunked answer with trailer fields ends the process: Foundation traps on it, in any session.
///
/// Errors have URLSession's codes on Apple's systems: a connection that ends too early gives `networkConnectionLost`,
/// where Linux gives `unknown` or `badServerResponse`.
public final class URLSessionTransport: Transport {
  /// A week, longer than any request, because the simulation enforces timeouts; whole seconds, because Linux drops
  /// fractions.
  private static let noTimeLimit: TimeInterval = 7 * 24 * 60 * 60

  /// The session's configuration; `nil` makes an ephemeral one when it is needed, which most stubs never do.
  private let configuration: URLSessionConfiguration?
  private let receiver = URLSessionReceiver()
  private let session = Mutex<URLSession?>(nil)
  /// The queue for calls on tasks: on Linux such a call waits for the session's queue, and traps if made on it.
  private let queue = DispatchQueue(label: "URLSessionTransport")

  /// Creates a transport, whose session is made with the first request.
  ///
  /// - Parameter configuration: the configuration for proxies, TLS and the like, by default ephemeral. It is copied,
  ///   without the client session's part: cookies, caches, credentials, timeouts, simulated protocols.
  public init(configuration: URLSessionConfiguration? = nil) {
    self.configuration = configuration.map(Self.inner)
  }

  deinit {
    session.withLock { $0?.finishTasksAndInvalidate() }
  }

  /// Sends a request to the real server.
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
      // A task that receives at full speed would delay its own cancellation, so pause it first.
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
    // The session sets these fields for its real body and connection.
    for name in ["Content-Length", "Transfer-Encoding", "Connection"] { inner.setValue(nil, forHTTPHeaderField: name) }
    ClientContext.markReal(&inner)
    switch request.body {
    case .empty: break
    // Not a data task, which would add a content type to a body without one.
    case .data(let data): return (session.uploadTask(with: inner, from: data), session)
    case .file(let url, _): return (session.uploadTask(with: inner, fromFile: url), session)
    }
    return (session.dataTask(with: inner), session)
  }

  private static func inner(_ given: URLSessionConfiguration) -> URLSessionConfiguration {
    // Foundation documents that the copy has this type.
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
    // The simulation limits connections itself, so no request should wait here.
    copy.httpMaximumConnectionsPerHost = 10_000
    return copy
  }
}
