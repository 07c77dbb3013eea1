// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

import Internals

/// Foundation's `URLSession`: makes tasks, and calls its delegate on one queue.
///
/// <https://developer.apple.com/documentation/foundation/urlsession>.
open class URLSession: NSObject, @unchecked Sendable {
  private static let one = URLSession(configuration: .default, isShared: true)
  open class var shared: URLSession { one }

  private struct State {
    var tasks: [Int: URLSessionTask] = [:]
    var next = 1
    var isInvalid = false
    var hasToldOfEnd = false
  }
  private let state = Mutex(State())
  private let own: URLSessionConfiguration
  /// The queue of the system's work for the session; the client is called on another queue.
  private let queue = DispatchQueue(label: "com.example.session")
  let isShared: Bool
  public let delegateQueue: OperationQueue
  open private(set) var delegate: (any URLSessionDelegate)?
  open var sessionDescription: String?

  /// A copy: changes to it have no effect.
  open var configuration: URLSessionConfiguration {
    guard let copy = own.copy() as? URLSessionConfiguration else { return own }
    return copy
  }

  public convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration: configuration, isShared: false)
  }

  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
  ) {
    own = configuration.copy() as? URLSessionConfiguration ?? configuration
    self.delegate = delegate
    delegateQueue = queue ?? Self.serialQueue()
    isShared = false
  }

  private init(configuration: URLSessionConfiguration, isShared: Bool) {
    own = configuration.copy() as? URLSessionConfiguration ?? configuration
    delegateQueue = Self.serialQueue()
    self.isShared = isShared
  }

  private static func serialQueue() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }

  func work(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
  func tell(_ body: @escaping @Sendable () -> Void) { queue.async { [self] in delegateQueue.addOperation(body) } }

  private func make<Task: URLSessionTask>(
    _ kind: Task.Type, _ request: URLRequest, body: URLSessionTask.Body = .none,
    _ completion: (@Sendable (Data?, URL?, URLResponse?, (any Error)?) -> Void)? = nil
  ) -> Task {
    var request = request
    for (name, value) in own.httpAdditionalHeaders ?? [:] {
      if let name = name as? String, request.value(forHTTPHeaderField: name) == nil {
        request.setValue("\(value)", forHTTPHeaderField: name)
      }
    }
    let number = state.withLock { state in
      // Foundation throws an Objective-C exception, which ends the process.
      precondition(!state.isInvalid, "Task created in a session that has been invalidated")
      defer { state.next += 1 }
      return state.next
    }
    let task = Task(self, request, number, body: body, completion: completion)
    state.withLock { $0.tasks[number] = task }
    return task
  }

  /// Open connections to real servers that wait for the next request, by host and port.
  private let idle = Mutex<[String: [Int32]]>([:])
  func keep(_ socket: Int32, _ origin: String) { idle.withLock { $0[origin, default: []].append(socket) } }
  func idleSocket(_ origin: String) -> Int32? { idle.withLock { $0[origin]?.popLast() } }

  deinit {
    for socket in idle.withLock({ $0.values.joined() }) { close(socket) }
  }

  func forget(_ task: URLSessionTask) {
    state.withLock { $0.tasks[task.taskIdentifier] = nil }
    endIfInvalid()
  }

  private func endIfInvalid() {
    let isOver = state.withLock { state in
      guard state.isInvalid, state.tasks.isEmpty, !state.hasToldOfEnd else { return false }
      state.hasToldOfEnd = true
      return true
    }
    guard isOver else { return }
    tell { [self] in
      delegate?.urlSession(self, didBecomeInvalidWithError: nil)
      delegate = nil
    }
  }

  open func finishTasksAndInvalidate() {
    state.withLock { $0.isInvalid = true }
    endIfInvalid()
  }

  open func invalidateAndCancel() {
    let tasks = state.withLock { state in
      state.isInvalid = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    endIfInvalid()
  }

  open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    queue.async { [self] in
      let (tasks, isOver) = state.withLock { ($0.tasks.sorted { $0.key < $1.key }.map(\.value), $0.hasToldOfEnd) }
      if isOver, Unkindness.silence.isOn { return }
      delegateQueue.addOperation { completionHandler(tasks) }
    }
  }

  // MARK: Tasks

  open func dataTask(with request: URLRequest) -> URLSessionDataTask { make(URLSessionDataTask.self, request) }
  open func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }
  open func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    make(URLSessionDataTask.self, request) { data, _, response, error in completionHandler(data, response, error) }
  }
  open func dataTask(
    with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  open func uploadTask(with request: URLRequest, from body: Data) -> URLSessionUploadTask {
    make(URLSessionUploadTask.self, request, body: .data(body))
  }
  open func uploadTask(with request: URLRequest, fromFile file: URL) -> URLSessionUploadTask {
    make(URLSessionUploadTask.self, request, body: .file(file))
  }
  open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    make(URLSessionUploadTask.self, request, body: .stream)
  }
  open func uploadTask(
    with request: URLRequest, from body: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    make(URLSessionUploadTask.self, request, body: .data(body ?? Data())) { data, _, response, error in
      completionHandler(data, response, error)
    }
  }
  open func uploadTask(
    with request: URLRequest, fromFile file: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    make(URLSessionUploadTask.self, request, body: .file(file)) { data, _, response, error in
      completionHandler(data, response, error)
    }
  }

  open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    make(URLSessionDownloadTask.self, request)
  }
  open func downloadTask(with url: URL) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }
  open func downloadTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    make(URLSessionDownloadTask.self, request) { _, file, response, error in completionHandler(file, response, error) }
  }
  open func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  // MARK: Async

  private final class Cancellation: Sendable {
    private let task = Mutex<(task: URLSessionTask?, isCancelled: Bool)>((nil, false))

    func start(_ task: URLSessionTask) {
      let isCancelled = self.task.withLock { state in
        state.task = task
        return state.isCancelled
      }
      task.resume()
      if isCancelled { task.cancel() }
    }

    func cancel() {
      let task = task.withLock { state in
        state.isCancelled = true
        return state.task
      }
      task?.cancel()
    }
  }

  private typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  private func run(
    _ delegate: (any URLSessionTaskDelegate)?, _ make: (@escaping Completion) -> URLSessionTask
  ) async throws -> (Data, URLResponse) {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let task = make { data, response, error in
          if let data, let response, error == nil {
            continuation.resume(returning: (data, response))
          } else {
            continuation.resume(throwing: error ?? URLError(.unknown))
          }
        }
        task.delegate = delegate
        cancellation.start(task)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await run(delegate) { dataTask(with: request, completionHandler: $0) }
  }

  // Separate methods without a delegate, from iOS 13 on:
  // <https://developer.apple.com/documentation/foundation/urlsession/data(for:)>
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await data(for: request, delegate: nil)
  }
  public func data(from url: URL) async throws -> (Data, URLResponse) { try await data(from: url, delegate: nil) }
  public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
    try await upload(for: request, from: bodyData, delegate: nil)
  }
  public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
    try await upload(for: request, fromFile: fileURL, delegate: nil)
  }

  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url), delegate: delegate)
  }

  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await run(delegate) { uploadTask(with: request, from: bodyData, completionHandler: $0) }
  }

  public func upload(
    for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await run(delegate) { uploadTask(with: request, fromFile: fileURL, completionHandler: $0) }
  }
}
