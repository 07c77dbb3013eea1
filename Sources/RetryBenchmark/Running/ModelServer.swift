import Internals
import NetworkConditions
import URLLoading

/// Carries a ``ServerModel`` out: in each zone a queue before a number of equal workers, first come, first served.
final class ModelServer: Transport {
  /// The workers of a zone.
  private struct Workers {
    /// When the workers that are busy will be free, the soonest first.
    var busyUntil: ArraySlice<SimulatedInstant> = []
    /// When those that wait will begin, the soonest first.
    var begins: ArraySlice<SimulatedInstant> = []
    /// How many attempts reached them in each second, and how many of these were turned away.
    var seconds = CountHistogram()
    var refused = 0
  }

  private struct State {
    var workers: [Workers]
    /// The zone whose turn it is.
    var turn = 0
    var processed: Set<Attempt> = []
    /// When the first request with a key came, and when it is or was answered.
    var keys: [String: (came: SimulatedInstant, done: SimulatedInstant)] = [:]
  }

  /// An attempt as the server knows it: no client sends two requests of one URL, so the equal ones are attempts.
  private struct Attempt: Hashable {
    let url: String
    let number: Int
  }

  private let model: ServerModel
  private let body: Data
  private let head: ResponseHead
  private let origin: SimulatedInstant
  private let chance: KeyedRandom
  /// The zones, with what is true of the whole server.
  private let zones: [ServerModel.Zone]
  private let state: Mutex<State>

  /// - Parameters:
  ///   - body: that of a good answer; `nil` is so many zeros.
  ///   - origin: when the clients' arrival began.
  ///   - chance: decides how long it works on each request.
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
    zones = (model.zones?.all ?? [ServerModel.Zone()]).map {
      ServerModel.Zone(outages: model.outages + $0.outages, brownOuts: model.brownOuts + $0.brownOuts)
    }
    state = Mutex(State(workers: Array(repeating: Workers(), count: zones.count)))
  }

  /// The name that a client has for the server: one of its own, so that each client looks it up and opens connections of its
  /// own, as devices do.
  static func host(of client: Int) -> String { "client-\(client)\(domain)" }

  /// The client that has a name for the server, or one that ends in it; `nil` for a name that none was given.
  static func client(of host: String) -> Int? {
    guard host.hasSuffix(domain) else { return nil }
    return host.dropLast(domain.count).split(separator: ".").last
      .flatMap { $0.hasPrefix("client-") ? Int($0.dropFirst("client-".count)) : nil }
  }

  private static let domain = ".server.example"

  /// The load of each of its zones; none of a server in one place.
  var loads: [ZoneLoad] {
    state.withLock { state in
      model.zoneNumbers.map { ZoneLoad(seconds: state.workers[$0].seconds, refused: state.workers[$0].refused) }
    }
  }

  /// Whether the n-th request of a URL was carried out, whatever its client learnt of it.
  func hasProcessed(_ url: String, _ number: Int) -> Bool {
    state.withLock { $0.processed.contains(Attempt(url: url, number: number)) }
  }

  func respond(to request: TransportRequest, with reply: any TransportReply) {
    let now = request.time
    let url = request.request.url?.absoluteString ?? ""
    let chance = chance.keyed(by: url).keyed(by: UInt64(request.occurrence))
    let number = zone(of: request, chance)
    let zone = zones[number]
    let since = origin.duration(to: now)
    if zones.count > 1 { state.withLock { $0.workers[number].seconds.add(since.count(of: .seconds(1))) } }
    if zone.outages.contains(where: { $0.contains(since) }) { return reject(503, nil, from: number, reply) }
    let key = model.keyMemory == nil ? nil : request.request.value(forHTTPHeaderField: "Idempotency-Key")
    if let wait = key.flatMap({ waitForAnswer(of: $0, at: now) }) { return answer(reply, after: wait) }
    let work = model.serviceTime.drawn(chance)
    let wait: Duration
    switch state.withLock({ admit(now, work, zone, &$0.workers[number]) }) {
    case .begins(let time): wait = time
    case .turnedAway(let status, let retryAfter): return reject(status, retryAfter, from: number, reply)
    case .givenUp(let time): return reply.after(time) { [self] in reject(503, nil, from: number, reply) }
    }
    // A server does not know that a client hung up: what it took on it carries out.
    let time = wait + slowed(work, at: now.advanced(by: wait), in: zone)
    state.withLock { state in
      state.processed.insert(Attempt(url: url, number: request.occurrence))
      if let key { state.keys[key] = (came: now, done: now.advanced(by: time)) }
    }
    answer(reply, after: time)
  }

  /// How long a request waits for the answer of the first one with its key; `nil` where no such one is remembered.
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

  /// The number of the zone that an attempt goes to.
  private func zone(of request: TransportRequest, _ chance: KeyedRandom) -> Int {
    guard let zones = model.zones else { return 0 }
    let count = zones.all.count
    switch zones.routing {
    // Whoever is alone is the first, under whatever name.
    case .byClient: return (Self.client(of: request.request.url?.host ?? "") ?? 0) % count
    case .inTurn:
      return state.withLock { state in
        defer { state.turn = (state.turn + 1) % count }
        return state.turn
      }
    case .atRandom: return Int(chance.keyed(by: "zone").number(below: Int64(count)))
    }
  }

  /// The fate of a request that reaches a zone.
  private enum Admission {
    case begins(after: Duration)
    case turnedAway(status: Int, retryAfter: Duration?)
    /// It waits for its turn, which does not come in time.
    case givenUp(after: Duration)
  }

  /// Takes a request on, or says why not.
  private func admit(
    _ now: SimulatedInstant, _ work: Duration, _ zone: ServerModel.Zone, _ state: inout Workers
  ) -> Admission {
    guard let capacity = model.capacity else { return .begins(after: .zero) }
    while let first = state.busyUntil.first, first <= now { state.busyUntil.removeFirst() }
    while let first = state.begins.first, first <= now { state.begins.removeFirst() }
    if state.busyUntil.count < capacity {
      insert(now.advanced(by: slowed(work, at: now, in: zone)), into: &state.busyUntil)
      return .begins(after: .zero)
    }
    if case .reject(let status, let retryAfter) = model.overload, state.begins.count >= model.queueLength {
      return .turnedAway(status: status, retryAfter: retryAfter)
    }
    // The worker that is free first takes it; those before it in the queue have their ends in the list already.
    let begin = state.busyUntil[state.busyUntil.endIndex - capacity]
    if let limit = model.queueTime, now.duration(to: begin) > limit { return .givenUp(after: limit) }
    insert(begin.advanced(by: slowed(work, at: begin, in: zone)), into: &state.busyUntil)
    state.begins.append(begin)
    return .begins(after: now.duration(to: begin))
  }

  /// How long work takes that begins at a time.
  private func slowed(_ work: Duration, at time: SimulatedInstant, in zone: ServerModel.Zone) -> Duration {
    let since = origin.duration(to: time)
    return work * (zone.brownOuts.first { $0.time.contains(since) }?.factor ?? 1)
  }

  private func insert(_ time: SimulatedInstant, into times: inout ArraySlice<SimulatedInstant>) {
    let place = times.lastIndex { $0 <= time }.map { $0 + 1 } ?? times.startIndex
    times.insert(time, at: place)
  }

  private func reject(
    _ status: Int, _ retryAfter: Duration?, from zone: Int, _ reply: any TransportReply
  ) {
    state.withLock { $0.workers[zone].refused += 1 }
    var headers = [HeaderField("Content-Length", "0")]
    if let retryAfter { headers.append(HeaderField("Retry-After", "\(retryAfter.secondsRoundedUp)")) }
    reply.answer(ResponseHead(status: status, headers: headers), body: Data())
  }
}
