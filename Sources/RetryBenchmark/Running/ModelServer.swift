import Internals
import NetworkConditions
import URLLoading

/// Carries a ``ServerModel`` out: a queue before a number of equal workers, first come, first served.
final class ModelServer: Transport {
  private struct State {
    /// When the workers that are busy will be free, the soonest first.
    var busyUntil: [SimulatedInstant] = []
    /// When those that wait will begin.
    var begins: [SimulatedInstant] = []
    var processed: Set<Attempt> = []
  }

  /// An attempt as the server knows it: no client sends two requests of one URL, so the equal ones are attempts.
  private struct Attempt: Hashable {
    let url: String
    let number: Int
  }

  private let model: ServerModel
  private let body: Data
  private let origin: SimulatedInstant
  private let state = Mutex(State())

  /// - Parameters:
  ///   - responseBytes: the size of a good answer's body.
  ///   - origin: when the clients' arrival began.
  init(_ model: ServerModel, responseBytes: Int, origin: SimulatedInstant) {
    self.model = model
    self.origin = origin
    body = Data(count: responseBytes)
  }

  /// Whether the n-th request of a URL was carried out, whatever its client learnt of it.
  func hasProcessed(_ url: String, _ number: Int) -> Bool {
    state.withLock { $0.processed.contains(Attempt(url: url, number: number)) }
  }

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    let now = request.time
    if model.outages.contains(where: { $0.contains(origin.duration(to: now)) }) { return reject(503, nil, reply) }
    guard let wait = state.withLock({ admit(now, &$0) }) else {
      guard case .reject(let status, let retryAfter) = model.overload else { return }
      return reject(status, retryAfter, reply)
    }
    let attempt = Attempt(url: request.request.url?.absoluteString ?? "", number: request.occurrence)
    reply.after(wait + model.serviceTime) { [self] in
      state.withLock { _ = $0.processed.insert(attempt) }
      reply.answer(
        ResponseHead(status: 200, headers: [HeaderField("Content-Length", "\(body.count)")]), body: body)
    }
  }

  /// How long a request waits for its turn; `nil` when there is no room for it.
  private func admit(_ now: SimulatedInstant, _ state: inout State) -> Duration? {
    guard let capacity = model.capacity else { return .zero }
    state.busyUntil.removeAll { $0 <= now }
    state.begins.removeAll { $0 <= now }
    if state.busyUntil.count < capacity {
      insert(now.advanced(by: model.serviceTime), into: &state.busyUntil)
      return .zero
    }
    if case .reject = model.overload, state.begins.count >= model.queueLength { return nil }
    // The worker that is free first takes it; those before it in the queue have their ends in the list already.
    let begin = state.busyUntil[state.busyUntil.count - capacity]
    insert(begin.advanced(by: model.serviceTime), into: &state.busyUntil)
    state.begins.append(begin)
    return now.duration(to: begin)
  }

  private func insert(_ time: SimulatedInstant, into times: inout [SimulatedInstant]) {
    let place = times.lastIndex { $0 <= time }.map { $0 + 1 } ?? 0
    times.insert(time, at: place)
  }

  private func reject(_ status: Int, _ retryAfter: Duration?, _ reply: any TransportReply) {
    var headers = [HeaderField("Content-Length", "0")]
    if let retryAfter { headers.append(HeaderField("Retry-After", "\(retryAfter.secondsRoundedUp)")) }
    reply.answer(ResponseHead(status: status, headers: headers), body: Data())
  }
}
