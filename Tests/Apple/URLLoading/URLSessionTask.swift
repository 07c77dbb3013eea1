// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

import Internals
import Testing

/// Foundation's `URLSessionTask`: the client's side of a request.
///
/// <https://developer.apple.com/documentation/foundation/urlsessiontask>: it is thread-safe. The delegate is called in
/// order, on the session's queue; a `completed` task no longer calls it.
open class URLSessionTask: NSObject, ProgressReporting, @unchecked Sendable {
  public enum State: Int, Sendable { case running, suspended, canceling, completed }

  public enum Body: Sendable {
    case none
    case data(Data)
    case file(URL)
    case stream
  }

  private struct Status {
    var state = State.suspended
    var current: URLRequest
    var response: URLResponse?
    var error: (any Error)?
    var load: Load?
    var real: RealLoad?
    /// The calls that arrived while the task was suspended or its client had not decided about the response.
    var held: [@Sendable () -> Void] = []
    var received: Int64 = 0
    var delegate: (any URLSessionTaskDelegate)?
    var redirects = 0
    /// Whether the client followed a redirect: the body is then that of the new request.
    var isRedirected = false
    /// Whether the client has yet to decide about the response.
    var awaitsDisposition = false
  }
  private struct Guarded: @unchecked Sendable {
    var value: Status
  }

  let session: URLSession
  let firstRequest: URLRequest
  let body: Body
  fileprivate let completion: (@Sendable (Data?, URL?, URLResponse?, (any Error)?) -> Void)?
  private let status: Mutex<Guarded>
  /// Used only on the delegate's queue.
  private var collected = Data()

  /// The test that made the task; `nil` if unknown.
  let test = Test.current?.name
  public let taskIdentifier: Int
  public let progress: Progress
  /// The task of which this is a copy.
  private let original: URLSessionTask?
  open var taskDescription: String?
  open var priority: Float = 0.5

  public required init(
    _ session: URLSession, _ request: URLRequest, _ identifier: Int, body: Body,
    completion: (@Sendable (Data?, URL?, URLResponse?, (any Error)?) -> Void)?
  ) {
    self.session = session
    firstRequest = request
    self.body = body
    self.completion = completion
    taskIdentifier = identifier
    (original, progress) = (nil, Progress(totalUnitCount: 100))
    status = Mutex(Guarded(value: Status(current: request)))
  }

  /// Another object for the same task.
  public required init(copyOf task: URLSessionTask) {
    (session, firstRequest, body, completion) = (task.session, task.firstRequest, task.body, task.completion)
    (taskIdentifier, original, progress) = (task.taskIdentifier, task, task.progress)
    status = Mutex(Guarded(value: Status(current: task.firstRequest)))
  }

  private func with<Result>(_ body: (inout Status) -> Result) -> Result {
    if let original { return original.with(body) }
    // The result is a copy, or an object with its own lock.
    nonisolated(unsafe) var result: Result?
    status.withLock { result = body(&$0.value) }
    guard let result else { fatalError("the closure ran") }
    return result
  }

  open var originalRequest: URLRequest? { firstRequest }
  open var currentRequest: URLRequest? { with { $0.current } }
  open var response: URLResponse? { with { $0.response } }
  open var error: (any Error)? { with { $0.error } }
  open var state: State { with { $0.state } }
  open var countOfBytesReceived: Int64 { with { $0.received } }
  open var countOfBytesExpectedToReceive: Int64 { response?.expectedContentLength ?? -1 }
  open var delegate: (any URLSessionTaskDelegate)? {
    get { with { $0.delegate } }
    set { with { $0.delegate = newValue } }
  }

  func bodyStream() -> InputStream? {
    let isRedirected = with { $0.isRedirected }
    if isRedirected, Unkindness.noBodies.isOn { return nil }
    let hasOwnBody = Unkindness.ownBodies.isOn && currentRequest?.httpMethod == firstRequest.httpMethod
    switch isRedirected && !hasOwnBody ? .none : body {
    case .data(let data): return InputStream(data: data)
    case .file(let file):
      if Unkindness.noBodies.isOn, !FileManager.default.fileExists(atPath: file.path) { return nil }
      return Unkindness.quietStreams.isOn ? QuietStream(url: file) : InputStream(url: file)
    case .stream:
      nonisolated(unsafe) var given: InputStream?
      let delegate = told
      let isGiven = DispatchSemaphore(value: 0)
      session.tell { [self] in
        guard let delegate else {
          isGiven.signal()
          return
        }
        delegate.urlSession(
          session, task: self,
          needNewBodyStream: { stream in
            given = stream
            isGiven.signal()
          })
      }
      isGiven.wait()
      return given
    case .none:
      guard let request = currentRequest else { return nil }
      return request.httpBodyStream ?? request.httpBody.map { InputStream(data: $0) }
    }
  }

  private var told: (any URLSessionTaskDelegate)? { delegate ?? session.delegate as? any URLSessionTaskDelegate }

  // MARK: The client

  open func resume() {
    let isFirst = with { status -> Bool in
      guard status.state == .suspended else { return false }
      status.state = .running
      if status.awaitsDisposition { return false }
      tellHeld(&status)
      return status.load == nil && status.real == nil
    }
    if isFirst { session.work { [self] in begin() } }
  }

  open func suspend() {
    with { if $0.state == .running { $0.state = .suspended } }
  }

  open func cancel() {
    let isNew = with { status in
      guard status.state == .running || status.state == .suspended else { return false }
      status.state = .canceling
      status.held = []
      return true
    }
    guard isNew else { return }
    session.work { [self] in
      let (load, real) = with { ($0.load, $0.real) }
      real?.cancel()
      let fail: @Sendable () -> Void = { [self] in finish(Self.cancelled(firstRequest.url)) }
      guard let load else { return fail() }
      guard Unkindness.lateStops.isOn else { return load.stop(fail) }
      fail()
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(3)) { load.stop() }
    }
  }

  private static func cancelled(_ url: URL?) -> URLError {
    URLError(.cancelled, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:])
  }

  // MARK: The system

  private func begin() {
    guard state == .running || state == .suspended, let request = currentRequest else { return }
    let registered = LoadingSystem.registered.withLock { $0 }
    let classes =
      (session.isShared ? registered.map(\.protocolClass) : []) + (session.configuration.protocolClasses ?? [])
    if Unkindness.questions.isOn { ask(classes.compactMap { $0 as? URLProtocol.Type }.map(Registered.init)) }
    if let chosen = classes.lazy.compactMap({ $0 as? URLProtocol.Type }).first(where: { $0.canInit(with: self) }) {
      let canonical = chosen.canonicalRequest(for: request)
      let load = Load(self, chosen)
      with {
        $0.current = canonical
        $0.load = load
      }
      return load.start()
    }
    let real = RealLoad(self, request)
    with { $0.real = real }
    real.start()
  }

  /// Asks five times on several threads, as Apple's system may, and ignores the answers.
  private func ask(_ classes: [Registered]) {
    let question: @Sendable () -> Void = { [self] in
      for known in classes { _ = (known.protocolClass as? URLProtocol.Type)?.canInit(with: self) }
    }
    question()
    question()
    for delay in [0, 1, 4] {
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay), execute: question)
    }
  }

  /// Calls the client; keeps the call while the task is suspended or its client has not decided about the response.
  private func deliver(_ work: @escaping @Sendable () -> Void) {
    with { status in
      guard status.state == .running, !status.awaitsDisposition else {
        if status.state == .suspended || status.state == .running { status.held.append(work) }
        return
      }
      session.tell(work)
    }
  }

  /// Makes the kept calls. Every call is made under the lock, so the calls stay in order.
  private func tellHeld(_ status: inout Status) {
    for work in status.held { session.tell(work) }
    status.held = []
  }

  func didReceive(_ response: URLResponse) {
    let delegate = completion == nil ? told as? any URLSessionDataDelegate : nil
    guard let delegate, let task = self as? URLSessionDataTask else {
      return deliver { [self] in with { $0.response = response } }
    }
    let work: @Sendable () -> Void = { [self] in
      with { $0.response = response }
      delegate.urlSession(session, dataTask: task, didReceive: response) { [self] disposition in
        with { status in
          status.awaitsDisposition = false
          if status.state == .running { tellHeld(&status) }
        }
        if disposition == .cancel { cancel() }
      }
    }
    with { status in
      guard status.state == .running else {
        if status.state == .suspended { status.held.append(work) }
        return
      }
      // The body waits for the client's decision.
      status.awaitsDisposition = true
      session.tell(work)
    }
  }

  func didReceive(_ data: Data, then isTaken: @escaping @Sendable () -> Void = {}) {
    deliver { [self] in
      defer { isTaken() }
      with { $0.received += Int64(data.count) }
      if completion == nil, !(self is URLSessionDownloadTask), let delegate = told as? any URLSessionDataDelegate,
        let task = self as? URLSessionDataTask
      {
        return delegate.urlSession(session, dataTask: task, didReceive: data)
      }
      collected.append(data)
      if completion == nil, let task = self as? URLSessionDownloadTask {
        (told as? any URLSessionDownloadDelegate)?.urlSession(
          session, downloadTask: task, didWriteData: Int64(data.count), totalBytesWritten: countOfBytesReceived,
          totalBytesExpectedToWrite: countOfBytesExpectedToReceive)
      }
    }
  }

  func didReceive(_ challenge: URLAuthenticationChallenge) {
    deliver { [self] in
      guard let delegate = told else { return challenge.sender?.performDefaultHandling(for: challenge) ?? () }
      delegate.urlSession(session, task: self, didReceive: challenge) { disposition, credential in
        if disposition == .useCredential, let credential { challenge.sender?.use(credential, for: challenge) }
      }
    }
  }

  func wasRedirected(to request: URLRequest, _ response: URLResponse, by load: Load) {
    let count = with { status in
      status.redirects += 1
      return status.redirects
    }
    guard count <= 20 else { return load.stop { [self] in loadDidEnd(URLError(.httpTooManyRedirects)) } }
    deliver { [self] in
      let follow: @Sendable (URLRequest?) -> Void = { [self] next in
        guard let next else { return load.refuseRedirect() }
        load.stop { [self] in goOn(with: next) }
      }
      guard let delegate = told, let http = response as? HTTPURLResponse else { return follow(request) }
      delegate.urlSession(
        session, task: self, willPerformHTTPRedirection: http, newRequest: request, completionHandler: follow)
    }
  }

  func goOn(with request: URLRequest) {
    with {
      $0.current = request
      $0.isRedirected = true
      $0.load = nil
      $0.real = nil
    }
    session.work { [self] in begin() }
  }

  /// The client's answer to a redirect; `nil` if the client wants the redirect's own body.
  func asksForRedirect(to request: URLRequest, because response: HTTPURLResponse) -> URLRequest? {
    guard let delegate = told else { return request }
    let answer = Mutex<URLRequest?>(nil)
    let isAnswered = DispatchSemaphore(value: 0)
    session.tell { [self] in
      delegate.urlSession(session, task: self, willPerformHTTPRedirection: response, newRequest: request) { next in
        answer.withLock { $0 = next }
        isAnswered.signal()
      }
    }
    isAnswered.wait()
    return answer.withLock { $0 }
  }

  func loadDidEnd(_ error: (any Error)?) {
    deliver { [self] in finish(error) }
  }

  /// Calls the client at the end; the task is completed afterwards.
  private func finish(_ error: (any Error)?) {
    session.tell { [self] in
      let isFirst = with { status in
        defer { status.error = error }
        return status.state != .completed
      }
      guard isFirst else { return }
      if let task = self as? URLSessionDownloadTask, error == nil {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(UUID().uuidString)")
        try? collected.write(to: file)
        if let completion {
          completion(nil, file, response, nil)
        } else {
          (told as? any URLSessionDownloadDelegate)?.urlSession(
            session, downloadTask: task, didFinishDownloadingTo: file)
        }
        try? FileManager.default.removeItem(at: file)
      } else if let completion {
        completion(error == nil ? collected : nil, nil, error == nil ? response : nil, error)
      }
      if completion == nil { told?.urlSession(session, task: self, didCompleteWithError: error) }
      with {
        $0.state = .completed
        $0.load = nil
        $0.real = nil
      }
      session.forget(self)
    }
  }
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

/// A stream whose reads return 0 bytes when they fail.
private final class QuietStream: InputStream {
  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    max(0, super.read(buffer, maxLength: len))
  }
}
