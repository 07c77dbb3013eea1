import Internals
import NetworkConditions
import URLLoading

/// The state of a task's `progress`.
struct TaskState: Hashable, Sendable {
  var completed: Int64
  var total: Int64
  var fraction: Double

  init(_ task: URLSessionTask) {
    completed = task.progress.completedUnitCount
    total = task.progress.totalUnitCount
    fraction = task.progress.fractionCompleted
  }
}

/// A delegate that records its calls, and lets a test wait for the end.
final class RecordingDelegate: NSObject, URLSessionDataDelegate, Sendable {
  struct Record: Sendable {
    var response: HTTPURLResponse?
    var chunks: [Data] = []
    var sent: [Int64] = []
    /// The sum of `bytesSent` over all calls.
    var justSent: Int64 = 0
    var error: (any Error)?
    var ends = 0
    /// The task's `progress` at each call.
    var progress: [TaskState] = []

    var body: Data { chunks.reduce(into: Data()) { $0.append($1) } }
    var code: URLError.Code? { (error as? URLError)?.code }
  }

  private struct State {
    var record = Record()
    var waiter: CheckedContinuation<Record, Never>?
    var onData: (@Sendable (Int) -> Void)?
    var stream: Data?
  }
  private let state = Mutex(State())

  init(stream: Data? = nil) {
    state.withLock { $0.stream = stream }
  }

  /// Runs `work` at each piece of body, with the number of pieces so far.
  func onData(_ work: @escaping @Sendable (Int) -> Void) {
    state.withLock { $0.onData = work }
  }

  var record: Record { state.withLock { $0.record } }

  func end() async -> Record {
    await withCheckedContinuation { continuation in
      let record = state.withLock { state -> Record? in
        if state.record.ends > 0 { return state.record }
        state.waiter = continuation
        return nil
      }
      if let record { continuation.resume(returning: record) }
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    state.withLock { state in
      state.record.response = response as? HTTPURLResponse
      state.record.progress.append(TaskState(dataTask))
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (work, count) = state.withLock { state in
      state.record.chunks.append(data)
      state.record.progress.append(TaskState(dataTask))
      return (state.onData, state.record.chunks.count)
    }
    work?(count)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    state.withLock { state in
      state.record.sent.append(totalBytesSent)
      state.record.justSent += bytesSent
      state.record.progress.append(TaskState(task))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    completionHandler(state.withLock { $0.stream }.map { InputStream(data: $0) })
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (waiter, record) = state.withLock { state in
      state.record.ends += 1
      state.record.error = error
      state.record.progress.append(TaskState(task))
      defer { state.waiter = nil }
      return (state.waiter, state.record)
    }
    waiter?.resume(returning: record)
  }
}

/// The arguments of a completion handler's call.
struct Completion: Sendable {
  var data: Data?
  var response: HTTPURLResponse?
  var error: (any Error)?
  var code: URLError.Code? { (error as? URLError)?.code }
}

extension URLSession {
  /// Runs a task by its completion handler.
  func complete(
    _ make: (URLSession, @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
  ) async -> Completion {
    await withCheckedContinuation { continuation in
      make(self) { data, response, error in
        continuation.resume(returning: Completion(data: data, response: response as? HTTPURLResponse, error: error))
      }.resume()
    }
  }
}

extension SimulatedNetwork {
  /// A network whose time never waits (`Pace.immediate`).
  static func immediate(_ profile: String = "3G", seed: UInt64 = 42) -> SimulatedNetwork {
    // A long patience, so that no test fails because the machine is busy.
    SimulatedNetwork(profile, seed: seed, pace: .immediate, options: NetworkOptions(patience: .seconds(600)))
  }
}

func url(_ text: String) -> URL {
  URL(string: text) ?? URL(fileURLWithPath: text)
}
