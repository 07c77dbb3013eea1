import Internals
import NetworkConditions
import URLLoading

/// Carries a ``ServerModel`` out: a queue before a number of equal workers, first come, first served.
final class ModelServer: Transport {
  private struct State {
    /// When the workers that are busy will be free, the soonest first.
    var busyUntil: [Int] = []
    /// When those that wait will begin.
    var begins: [Int] = []
    var processed: Set<String> = []
  }

  /// What tells one attempt from another on the server's side.
  static let attemptHeader = "X-Attempt"

  private let model: ServerModel
  private let body: Data
  private let origin: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - responseBytes: the size of a good answer's body.
  ///   - origin: when the clients' arrival began, in nanoseconds of the network's time.
  init(_ model: ServerModel, responseBytes: Int, origin: Int) {
    self.model = model
    self.origin = origin
    body = Data(count: responseBytes)
  }

  /// Whether an attempt was carried out, whatever its client learnt of it.
  func hasProcessed(_ attempt: String) -> Bool {
    state.withLock { $0.processed.contains(attempt) }
  }

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    let now = Int(request.time.nanoseconds)
    if model.outages.contains(where: { $0.contains(now - origin) }) { return reject(503, nil, reply) }
    guard let wait = state.withLock({ admit(now, &$0) }) else {
      guard case .reject(let status, let retryAfter) = model.overload else { return }
      return reject(status, retryAfter, reply)
    }
    let attempt = request.request.value(forHTTPHeaderField: Self.attemptHeader)
    reply.after(.nanoseconds(wait + model.serviceTime)) { [self] in
      if let attempt { state.withLock { _ = $0.processed.insert(attempt) } }
      reply.answer(
        ResponseHead(status: 200, headers: [HeaderField("Content-Length", "\(body.count)")]), body: body)
    }
  }

  /// How long a request waits for its turn, in nanoseconds; `nil` when there is no room for it.
  private func admit(_ now: Int, _ state: inout State) -> Int? {
    guard let capacity = model.capacity else { return 0 }
    state.busyUntil.removeAll { $0 <= now }
    state.begins.removeAll { $0 <= now }
    if state.busyUntil.count < capacity {
      insert(now + model.serviceTime, into: &state.busyUntil)
      return 0
    }
    if case .reject = model.overload, state.begins.count >= model.queueLength { return nil }
    // The worker that is free first takes it; those before it in the queue have their ends in the list already.
    let begin = state.busyUntil[state.busyUntil.count - capacity]
    insert(begin + model.serviceTime, into: &state.busyUntil)
    state.begins.append(begin)
    return begin - now
  }

  private func insert(_ time: Int, into times: inout [Int]) {
    let place = times.lastIndex { $0 <= time }.map { $0 + 1 } ?? 0
    times.insert(time, at: place)
  }

  private func reject(_ status: Int, _ retryAfter: Int?, _ reply: any TransportReply) {
    var headers = [HeaderField("Content-Length", "0")]
    if let retryAfter { headers.append(HeaderField("Retry-After", "\((retryAfter + 999_999_999) / 1_000_000_000)")) }
    reply.answer(ResponseHead(status: status, headers: headers), body: Data())
  }
}
