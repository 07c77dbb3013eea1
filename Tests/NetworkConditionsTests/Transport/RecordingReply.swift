import Internals

@testable import NetworkConditions
import URLLoading

/// A reply that records its calls, runs delayed work on request, and can be cancelled.
final class RecordingReply: TransportReply {
  enum Ending: Equatable {
    case finished
    case failed(URLError.Code)
  }

  struct State {
    var heads: [ResponseHead] = []
    var body = Data()
    var pieces = 0
    var endings: [Ending] = []
    var error: URLError?
    var delays: [Duration] = []
    var delayed: [@Sendable () -> Void] = []
    var onCancel: [@Sendable () -> Void] = []
    var isCancelled = false
    var isFull = false
    var waiting: [@Sendable () -> Void] = []
    var isBodyKept = true
    var byteCount: Int64 = 0
    /// The sum of the wire sizes, over the pieces that have one.
    var encodedCount: Int64 = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    var bodyWaiters: [(Int64, CheckedContinuation<Void, Never>)] = []
    /// Calls before the head or after the end.
    var disorder = 0
  }

  let state: Mutex<State>

  init(keepingBody: Bool = true) {
    state = Mutex(State(isBodyKept: keepingBody))
  }

  var head: ResponseHead? { state.withLock { $0.heads.first } }
  var body: Data { state.withLock { $0.body } }
  var text: String { String(decoding: body, as: UTF8.self) }
  var pieces: Int { state.withLock { $0.pieces } }
  var byteCount: Int64 { state.withLock { $0.byteCount } }
  var encodedCount: Int64 { state.withLock { $0.encodedCount } }
  var ending: Ending? { state.withLock { $0.endings.first } }
  var error: URLError? { state.withLock { $0.error } }
  var delays: [Duration] { state.withLock { $0.delays } }

  /// Whether there was at most one head, then body, then exactly one end.
  var isInOrder: Bool {
    state.withLock { $0.disorder == 0 && $0.heads.count <= 1 && $0.endings.count == 1 }
  }

  func head(_ head: ResponseHead) {
    state.withLock { state in
      if !state.endings.isEmpty || !state.heads.isEmpty { state.disorder += 1 }
      state.heads.append(head)
    }
  }

  func body(_ data: Data, encodedCount: Int64?) {
    let due = state.withLock { state in
      state.encodedCount += encodedCount ?? 0
      if !state.endings.isEmpty || state.heads.isEmpty { state.disorder += 1 }
      if state.isBodyKept { state.body.append(data) }
      state.pieces += 1
      state.byteCount += Int64(data.count)
      let due = state.bodyWaiters.filter { $0.0 <= state.byteCount }
      state.bodyWaiters.removeAll { $0.0 <= state.byteCount }
      return due
    }
    for (_, waiter) in due { waiter.resume() }
  }

  func finish() { end(.finished, nil) }

  func fail(_ error: URLError) { end(.failed(error.code), error) }

  private func end(_ ending: Ending, _ error: URLError?) {
    let waiters = state.withLock { state in
      if !state.endings.isEmpty { state.disorder += 1 }
      state.endings.append(ending)
      state.error = error
      defer {
        state.waiters = []
        state.bodyWaiters = []
      }
      return state.waiters + state.bodyWaiters.map(\.1)
    }
    for waiter in waiters { waiter.resume() }
  }

  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.delays.append(delay)
      state.delayed.append(work)
    }
  }

  func together(_ work: () -> Void) { work() }

  func whenRoom(_ work: @escaping @Sendable () -> Void) {
    let isFull = state.withLock { state in
      if state.isFull { state.waiting.append(work) }
      return state.isFull
    }
    if !isFull { work() }
  }

  /// Sets whether there is room for more bytes.
  func setRoom(_ hasRoom: Bool) {
    let due = state.withLock { state in
      state.isFull = !hasRoom
      defer { if hasRoom { state.waiting = [] } }
      return hasRoom ? state.waiting : []
    }
    for work in due { work() }
  }

  func park() {}
  func waitOutside() {}
  /// As in a simulation: a handler that need not wait answers at once.
  let executor: (any TaskExecutor)? = Anywhere()

  private final class Anywhere: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { globalConcurrentExecutor.enqueue(UnownedJob(job)) }
  }

  func onCancel(_ work: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.onCancel.append(work) }
      return state.isCancelled
    }
    if isCancelled { work() }
  }

  func runNextDelayed() {
    let work = state.withLock { $0.delayed.isEmpty ? nil : $0.delayed.removeFirst() }
    work?()
  }

  /// Cancels the request, as when its client leaves.
  func cancel() {
    let work = state.withLock { state in
      state.isCancelled = true
      defer { state.onCancel = [] }
      return state.onCancel
    }
    for item in work { item() }
  }

  func ended() async {
    await withCheckedContinuation { continuation in
      let isEnded = state.withLock { state in
        if state.endings.isEmpty { state.waiters.append(continuation) }
        return !state.endings.isEmpty
      }
      if isEnded { continuation.resume() }
    }
  }

  /// Waits until so many bytes of body have arrived, or until the end.
  func received(_ count: Int64) async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        if state.byteCount >= count || !state.endings.isEmpty { return true }
        state.bodyWaiters.append((count, continuation))
        return false
      }
      if isDue { continuation.resume() }
    }
  }
}

extension Transport {
  /// Sends a request, and returns its reply at once.
  func send(
    _ method: String = "GET", _ url: String, headers: [String: String] = [:], body: RequestBody = .empty,
    to reply: RecordingReply = RecordingReply()
  ) -> RecordingReply {
    var request = URLRequest(url: URL(string: url)!)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    respond(to: TransportRequest(request: request, body: body), with: reply)
    return reply
  }
}
