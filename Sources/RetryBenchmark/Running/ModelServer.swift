import Internals
import NetworkConditions
import URLLoading

/// Simulates a ``ServerModel``: equal workers behind one first-come, first-served queue.
final class ModelServer: Transport {
  private struct State {
    /// When the accepted requests will be done, the soonest first.
    var busyUntil: ArraySlice<SimulatedInstant> = []
    /// When the waiting requests will begin, the soonest first.
    var begins: ArraySlice<SimulatedInstant> = []
    var processed: Set<Attempt> = []
    /// When the first request with each idempotency key came, and when its answer is due.
    var keys: [String: (came: SimulatedInstant, done: SimulatedInstant)] = [:]
  }

  /// An attempt as the server sees it: requests of one URL are attempts of one request.
  private struct Attempt: Hashable {
    let url: String
    let number: Int
  }

  private let model: ServerModel
  private let body: Data
  private let head: ResponseHead
  private let origin: SimulatedInstant
  private let chance: KeyedRandom
  private let state = Mutex(State())

  /// Creates the server; without a `body` an answer has `responseBytes` zeros, and `chance` draws each request's work.
  init(_ model: ServerModel, body: Data?, _ responseBytes: Int, origin: SimulatedInstant, chance: KeyedRandom) {
    self.chance = chance
    self.model = model
    self.origin = origin
    self.body = body ?? Data(count: responseBytes)
    let isJSON = body?.first == UInt8(ascii: "{") || body?.first == UInt8(ascii: "[")
    head = ResponseHead(
      status: 200,
      headers: [HeaderField("Content-Length", "\(self.body.count)")]
        + (isJSON ? [HeaderField("Content-Type", "application/json")] : []))
  }

  /// A client's host name for the server; clients have different names, so each resolves and connects separately.
  static func host(of client: Int) -> String { "client-\(client)\(domain)" }

  /// The number of the client with this host name, or one that ends in it; `nil` for other names.
  static func client(of host: String) -> Int? {
    guard host.hasSuffix(domain) else { return nil }
    return host.dropLast(domain.count).split(separator: ".").last
      .flatMap { $0.hasPrefix("client-") ? UInt32($0.dropFirst("client-".count)).map(Int.init) : nil }
  }

  private static let domain = ".server.example"

  /// Whether the server carried out the n-th request of a URL, even if the client never got the answer.
  func hasProcessed(_ url: String, _ number: Int) -> Bool {
    state.withLock { $0.processed.contains(Attempt(url: url, number: number)) }
  }

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    let now = request.time
    let url = request.request.url?.absoluteString ?? ""
    let chance = chance.keyed(by: url).keyed(by: UInt64(request.occurrence))
    let since = origin.duration(to: now)
    if model.outages.contains(where: { $0.contains(since) }) { return reject(503, nil, reply) }
    let key = model.keyMemory == nil ? nil : request.request.value(forHTTPHeaderField: "Idempotency-Key")
    if let wait = key.flatMap({ waitForAnswer(of: $0, at: now) }) { return answer(reply, after: wait) }
    let work = model.serviceTime.drawn(chance)
    let wait: Duration
    switch state.withLock({ admit(now, work, &$0) }) {
    case .begins(let time): wait = time
    case .turnedAway(let status, let retryAfter): return reject(status, retryAfter, reply)
    case .givenUp(let time): return reply.after(time) { [self] in reject(503, nil, reply) }
    }
    // A server does not know that a client hung up, so it completes the work that it accepted.
    let time = wait + slowed(work, at: now.advanced(by: wait))
    state.withLock { state in
      state.processed.insert(Attempt(url: url, number: request.occurrence))
      if let key { state.keys[key] = (came: now, done: now.advanced(by: time)) }
    }
    answer(reply, after: time)
  }

  /// How long a request waits for the answer to the first one with its key; `nil` if the key is not remembered.
  private func waitForAnswer(of key: String, at now: SimulatedInstant) -> Duration? {
    guard let memory = model.keyMemory, let first = state.withLock({ $0.keys[key] }),
      first.came.duration(to: now) < memory
    else { return nil }
    return max(.zero, now.duration(to: first.done))
  }

  private func answer(_ reply: any TransportReply, after time: Duration) {
    reply.after(time) { [self] in
      reply.answer(head, body: body)
    }
  }

  private enum Admission {
    case begins(after: Duration)
    case turnedAway(status: Int, retryAfter: Duration?)
    /// The request waits in the queue, and leaves it after this time, because its turn would come too late.
    case givenUp(after: Duration)
  }

  /// Puts a request on a worker or into the queue, or rejects it.
  private func admit(_ now: SimulatedInstant, _ work: Duration, _ state: inout State) -> Admission {
    guard let capacity = model.capacity else { return .begins(after: .zero) }
    while let first = state.busyUntil.first, first <= now { state.busyUntil.removeFirst() }
    while let first = state.begins.first, first <= now { state.begins.removeFirst() }
    if state.busyUntil.count < capacity {
      insert(now.advanced(by: slowed(work, at: now)), into: &state.busyUntil)
      return .begins(after: .zero)
    }
    if case .reject(let status, let retryAfter) = model.overload, state.begins.count >= model.queueLength {
      return .turnedAway(status: status, retryAfter: retryAfter)
    }
    // The first worker to become free takes the request; `busyUntil` already has the ends of those queued before it.
    let begin = state.busyUntil[state.busyUntil.endIndex - capacity]
    if let limit = model.queueTime, now.duration(to: begin) > limit { return .givenUp(after: limit) }
    insert(begin.advanced(by: slowed(work, at: begin)), into: &state.busyUntil)
    state.begins.append(begin)
    return .begins(after: now.duration(to: begin))
  }

  /// How long work takes if it begins at `time`, brown-outs included.
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
