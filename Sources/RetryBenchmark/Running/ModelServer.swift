import Internals
import NetworkConditions
import URLLoading

/// Carries a ``ServerModel`` out: a queue before a number of equal workers, first come, first served.
final class ModelServer: Transport {
  private struct State {
    /// When the workers that are busy will be free, the soonest first.
    var busyUntil: ArraySlice<SimulatedInstant> = []
    /// When those that wait will begin, the soonest first.
    var begins: ArraySlice<SimulatedInstant> = []
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
  private let chance: KeyedRandom
  private let state = Mutex(State())

  /// - Parameters:
  ///   - responseBytes: the size of a good answer's body.
  ///   - origin: when the clients' arrival began.
  ///   - chance: decides how long it works on each request.
  init(_ model: ServerModel, responseBytes: Int, origin: SimulatedInstant, chance: KeyedRandom) {
    self.chance = chance
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
    let url = request.request.url?.absoluteString ?? ""
    let chance = chance.keyed(by: url).keyed(by: UInt64(request.occurrence))
    let work = model.serviceTime.drawn(chance)
    guard let wait = state.withLock({ admit(now, work, &$0) }) else {
      guard case .reject(let status, let retryAfter) = model.overload else { return }
      return reject(status, retryAfter, reply)
    }
    let attempt = Attempt(url: url, number: request.occurrence)
    reply.after(wait + slowed(work, at: now.advanced(by: wait))) { [self] in
      state.withLock { _ = $0.processed.insert(attempt) }
      reply.answer(
        ResponseHead(status: 200, headers: [HeaderField("Content-Length", "\(body.count)")]), body: body)
    }
  }

  /// How long a request waits for its turn; `nil` when there is no room for it.
  private func admit(_ now: SimulatedInstant, _ work: Duration, _ state: inout State) -> Duration? {
    guard let capacity = model.capacity else { return .zero }
    while let first = state.busyUntil.first, first <= now { state.busyUntil.removeFirst() }
    while let first = state.begins.first, first <= now { state.begins.removeFirst() }
    if state.busyUntil.count < capacity {
      insert(now.advanced(by: slowed(work, at: now)), into: &state.busyUntil)
      return .zero
    }
    if case .reject = model.overload, state.begins.count >= model.queueLength { return nil }
    // The worker that is free first takes it; those before it in the queue have their ends in the list already.
    let begin = state.busyUntil[state.busyUntil.endIndex - capacity]
    insert(begin.advanced(by: slowed(work, at: begin)), into: &state.busyUntil)
    state.begins.append(begin)
    return now.duration(to: begin)
  }

  /// How long work takes that begins at a time.
  private func slowed(_ work: Duration, at time: SimulatedInstant) -> Duration {
    let since = origin.duration(to: time)
    return work * (model.brownOuts.first { $0.time.contains(since) }?.factor ?? 1)
  }

  private func insert(_ time: SimulatedInstant, into times: inout ArraySlice<SimulatedInstant>) {
    let place = times.lastIndex { $0 <= time }.map { $0 + 1 } ?? times.startIndex
    times.insert(time, at: place)
  }

  private func reject(_ status: Int, _ retryAfter: Duration?, _ reply: any TransportReply) {
    var headers = [HeaderField("Content-Length", "0")]
    if let retryAfter { headers.append(HeaderField("Retry-After", "\(retryAfter.secondsRoundedUp)")) }
    reply.answer(ResponseHead(status: status, headers: headers), body: Data())
  }
}
