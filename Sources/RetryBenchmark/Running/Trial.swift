import Internals
import NetworkConditions
import RetryPolicies
import URLLoading

/// One trial: a contender under a profile with one seed, from the first client's arrival to the last one's end.
struct Trial: Sendable {
  let profile: NetworkProfile
  let contender: Contender
  let seed: UInt64
  let workload: Workload
  let server: ServerModel

  /// The draws that its seed decides.
  var chance: KeyedRandom { KeyedRandom(seed: seed).keyed(by: "trial") }

  /// Runs it, and says what happened.
  func record() async throws -> TrialRecord {
    let origin = start
    let model = ModelServer(
      server, responseBytes: workload.responseBytes, origin: origin, chance: chance.keyed(by: "service"))
    let run = try await Simulation(
      profile, seed: seed, transport: model, options: limits(origin)
    ) { network in
      try await network.clock.sleep(until: origin)
      let all = Crowd(trial: self, network: network, server: model, origin: origin)
      return await all.run().sorted { ($0.client, $0.turn) < ($1.client, $1.turn) }
    }
    let urls = Set(run.value.map(\.url))
    if workload.clients > 1, let name = commonName(in: run.timeline, but: urls) {
      throw RetryBenchmarkError.impossible(
        "\(contender.name) asks \(name.quoted), a name that its \(workload.clients) clients share, and with it connections, as "
          + "no devices do: ask the host of the request that it is handed, \(ModelServer.host(of: 0)) and so on, or a name "
          + "that ends in it")
    }
    // Attempts are found by their URLs; those of a client that asks another one by the network that it was handed, and their
    // times.
    let transfers = Dictionary(grouping: run.timeline.transfers) {
      urls.contains($0.url) ? $0.url : "\($0.client ?? 0)"
    }
    let requests = run.value.map { record in
      let own = (transfers[record.url] ?? []) + (record.knowsAttempts ? [] : transfers["\(record.view)"] ?? [])
      return record.filled(from: own.sorted { $0.started < $1.started }, by: model, origin: origin)
    }
    let end = requests.map(\.end).max() ?? .zero
    return TrialRecord(
      seed: seed, requests: requests, outages: outages(from: origin, until: end),
      brownOuts: server.allBrownOuts.filter { $0.lowerBound < end }, zones: model.loads)
  }

  /// A name that the server was asked under and that is no client's own: all who use it share connections, as no devices do.
  private func commonName(in timeline: Timeline, but own: Set<String>) -> String? {
    timeline.transfers.lazy.filter { $0.requestReceived != nil && !own.contains($0.url) }
      .map { URL(string: $0.url)?.host ?? "" }.first { ModelServer.client(of: $0) == nil }
  }

  /// An hour for each request of a client after the last arrival, and a hundred attempts for each on the average, but not
  /// more than memory is for.
  private func limits(_ origin: SimulatedInstant) -> NetworkOptions {
    let thinking = (0..<workload.clients).map { client in
      (1..<max(2, workload.requestsPerClient)).reduce(Duration.zero) { $0 + pause(of: client, before: $1) }
    }.max()
    let time =
      workload.arrival.length + (thinking ?? .zero) + NetworkOptions().timeLimit * workload.requestsPerClient
    return NetworkOptions(
      timeLimit: SimulatedInstant.zero.duration(to: origin) + time,
      requestLimit: min(Workload.mostRequests, 1_000 + 100 * workload.clients * workload.requestsPerClient))
  }

  /// When the clients come: anywhere in the profile's course, since a tunnel is not always ahead; but if it is begun, then.
  private var start: SimulatedInstant {
    let course = profile.schedule.course
    guard course > 0, !profile.isBegun else { return .zero }
    return SimulatedInstant(
      nanoseconds: chance.keyed(by: "start").number(below: min(course, Duration.longest.wholeNanoseconds)))
  }

  /// When a client comes, after the first might.
  fileprivate func arrival(of client: Int) -> Duration {
    let length = workload.arrival.length
    if case .evenly = workload.arrival {
      return .nanoseconds(Int64(Int128(length.wholeNanoseconds) * Int128(client) / Int128(workload.clients)))
    }
    guard case .poisson = workload.arrival else { return .zero }
    // The instants of a Poisson stream, given their number, are independent and even.
    let place = chance.keyed(by: "arrival").keyed(by: UInt64(client)).number(below: length.wholeNanoseconds)
    return .nanoseconds(place)
  }

  /// How long a client thinks before one of its requests, or how long after the one before that begins.
  func pause(of client: Int, before turn: Int) -> Duration {
    (workload.every ?? workload.think).drawn(
      chance.keyed(by: "think").keyed(by: UInt64(client)).keyed(by: UInt64(turn)))
  }

  /// When the network, the server or one of its zones was out, since the origin.
  private func outages(from origin: SimulatedInstant, until end: Duration) -> [Range<Duration>] {
    var found = server.allOutages.filter { $0.lowerBound < end }
    var time = origin
    while origin.duration(to: time) <= end, found.count < 10_000 {
      let position = profile.schedule.position(at: time)
      let until = position.end.map { origin.duration(to: $0) } ?? end + .nanoseconds(1)
      if profile.schedule.phases[position.index].conditions.outage != nil {
        found.append(max(.zero, origin.duration(to: time))..<until)
      }
      guard let next = position.end, next > time else { break }
      time = next
    }
    return TrialRecord.joined(found)
  }
}

extension ConditionSchedule {
  /// How long the course of phases is before it repeats or stays, in nanoseconds; 0 where there is one phase.
  fileprivate var course: Int64 {
    guard phases.count > 1 else { return 0 }
    var time = SimulatedInstant.zero
    for _ in phases {
      guard let end = position(at: time).end else { break }
      time = end
    }
    return time.nanoseconds
  }
}

/// All clients of a trial.
private struct Crowd: Sendable {
  /// A task group looks through all of its tasks whenever one ends: so there are groups of groups.
  private static let mostTasks = 64

  private let network: SimulatedNetwork
  /// Those that run at once: in an open loop, in which requests wait for no other, each request by itself.
  private let clients: [Client]

  init(trial: Trial, network: SimulatedNetwork, server: ModelServer, origin: SimulatedInstant) {
    self.network = network
    // State that clients share lives as long as the trial.
    let common = SharedStates()
    let count = trial.workload.requestsPerClient
    var clients: [Client] = []
    for number in 0..<trial.workload.clients {
      let states = SharedStates(common: common, client: number)
      var policy: (any RetryPolicy)?
      if case .policy(let make) = trial.contender.kind {
        policy = OneServer(base: make(states))
        if let deadline = trial.workload.deadline { policy = policy?.deadline(deadline) }
      }
      var start = origin.advanced(by: trial.arrival(of: number))
      let isOpen = trial.workload.every != nil
      for turns in isOpen ? (0..<count).map({ $0..<$0 + 1 }) : [0..<count] {
        if turns.lowerBound > 0 { start = start.advanced(by: trial.pause(of: number, before: turns.lowerBound)) }
        clients.append(
          Client(
            trial: trial, number: number, turns: turns, start: start, view: clients.count, server: server,
            origin: origin, states: states, policy: policy))
      }
    }
    self.clients = clients
  }

  /// Runs all of them at once, and gives what they have done, in any order.
  func run() async -> [ClientRecord] { await run(0..<clients.count) }

  private func run(_ some: Range<Int>) async -> [ClientRecord] {
    guard some.count > 1 else { return await clients[some.lowerBound].run(over: network) }
    let size = (some.count + Self.mostTasks - 1) / Self.mostTasks
    return await withTaskGroup(of: [ClientRecord].self) { group in
      for first in stride(from: some.lowerBound, to: some.upperBound, by: size) {
        group.addTask { await run(first..<min(first + size, some.upperBound)) }
      }
      var records: [ClientRecord] = []
      for await some in group { records += some }
      return records
    }
  }
}

/// A request as its client knows it; what moved is known to the network.
private struct ClientRecord: Sendable {
  let client: Int
  let turn: Int
  /// Its URL, which no other request has.
  let url: String
  /// The number of the network that its client was handed.
  let view: Int
  var request: RequestRecord
  /// Whether the attempts are what a policy reported, and not yet to be found among the transfers.
  let knowsAttempts: Bool

  /// The request with what the network saw of it.
  func filled(from transfers: [Transfer], by server: ModelServer, origin: SimulatedInstant) -> RequestRecord {
    var filled = request
    guard knowsAttempts else {
      let first = transfers.partitioningIndex { origin.duration(to: $0.started) >= request.start }
      let own = transfers[first...].prefix { origin.duration(to: $0.started) <= request.end }
      filled.attempts = own.enumerated().map { index, transfer in
        AttemptTrace(transfer, index: index, by: server, origin: origin, end: request.end)
      }
      return filled
    }
    for index in filled.attempts.indices {
      guard let transfer = transfers.first(where: { $0.occurrence == index + 1 }) else { continue }
      filled.attempts[index].sent = Int(clamping: transfer.wire.up.bytes)
      filled.attempts[index].received = Int(clamping: transfer.wire.down.bytes)
      filled.attempts[index].reachedServer = transfer.requestReceived != nil
    }
    return filled
  }
}

extension AttemptTrace {
  /// An attempt of a client of the user's own, as the network saw it.
  fileprivate init(
    _ transfer: Transfer, index: Int, by server: ModelServer, origin: SimulatedInstant, end: Duration
  ) {
    let start = origin.duration(to: transfer.started)
    let isGood = transfer.outcome == .finished && (transfer.status ?? 0) < 400
    let name: String
    switch transfer.outcome {
    case .finished, .running: name = transfer.status.map { "\($0)" } ?? "no response"
    case .failed(let code): name = "\(code.rawValue)"
    case .cancelled: name = "abandoned"
    }
    self.init(
      kind: index == 0 ? .original : .retry, start: max(.zero, start),
      end: max(start, transfer.ended.map { origin.duration(to: $0) } ?? end, .zero),
      verdict: isGood ? .success : transfer.outcome == .cancelled ? .abandoned : .transientFailure, outcome: name,
      sent: Int(clamping: transfer.wire.up.bytes), received: Int(clamping: transfer.wire.down.bytes),
      reachedServer: transfer.requestReceived != nil,
      wasProcessed: server.hasProcessed(transfer.url, transfer.occurrence))
  }
}

/// One client of a trial, or one of its requests.
private struct Client: Sendable {
  let trial: Trial
  let number: Int
  /// Which of its requests it sends, one after another.
  let turns: Range<Int>
  /// When it sends the first.
  let start: SimulatedInstant
  /// The number of the network that it is handed, which no other has.
  let view: Int
  let server: ModelServer
  let origin: SimulatedInstant
  let states: SharedStates
  let policy: (any RetryPolicy)?

  /// Comes at its time, and sends its requests.
  func run(over network: SimulatedNetwork) async -> [ClientRecord] {
    let network = network.client(view)
    try? await network.clock.sleep(until: start)
    var records: [ClientRecord] = []
    let chance = trial.chance.keyed(by: UInt64(number))
    for turn in turns {
      guard let request = request(turn) else { break }
      let pause = turn == turns.lowerBound ? .zero : trial.pause(of: number, before: turn)
      if pause > .zero { try? await network.clock.sleep(for: pause) }
      let record: RequestRecord
      if let policy {
        record = await follow(policy, request, over: network, chance.keyed(by: UInt64(turn)))
      } else {
        record = await call(request, over: network)
      }
      records.append(
        ClientRecord(
          client: number, turn: turn,
          url: request.url?.absoluteString ?? "", view: view, request: record, knowsAttempts: policy != nil))
    }
    return records
  }

  private func request(_ turn: Int) -> URLRequest? {
    guard let url = URL(string: "http://\(ModelServer.host(of: number))/\(number)/\(turn)") else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = trial.workload.method
    if trial.workload.requestBytes > 0 { request.httpBody = Data(count: trial.workload.requestBytes) }
    return request
  }

  private func now(_ network: SimulatedNetwork) -> Duration { origin.duration(to: network.now) }

  /// Follows a policy with the retrying client.
  private func follow(
    _ policy: any RetryPolicy, _ request: URLRequest, over network: SimulatedNetwork, _ chance: KeyedRandom
  ) async -> RequestRecord {
    let log = Log<AttemptRecord>()
    let start = now(network)
    let clock = RetryClock(
      network.clock, origin: origin,
      date: { Date(timeIntervalSince1970: Double(network.now.nanoseconds) / 1e9) })
    let isSuccess: Bool
    do {
      let (_, response) = try await network.data(
        for: request, retry: policy, clock: clock, random: RetryRandom(seed: chance.bits),
        observe: { log.add($0) })
      isSuccess = (response as? HTTPURLResponse).map { $0.statusCode < 400 } ?? true
    } catch {
      isSuccess = false
    }
    let records = log.all.sorted { $0.attempt.number < $1.attempt.number }
    let url = request.url?.absoluteString ?? ""
    let attempts = records.map { trace($0, url) }
    let denied = records.contains { record in
      if case .done(let reason) = record.next { reason == .denied || reason == .refused } else { false }
    }
    return RequestRecord(
      client: number, start: start, end: now(network), isSuccess: isSuccess,
      isIdempotent: RetryRequest(request).isIdempotent,
      deadline: trial.workload.deadline, wasDenied: denied, attempts: attempts)
  }

  private func trace(_ record: AttemptRecord, _ url: String) -> AttemptTrace {
    let attempt = record.attempt
    let name: String
    switch attempt.outcome {
    case .response(let head): name = "\(head.status)"
    case .failure(let error): name = (error as? URLError).map { "\($0.code.rawValue)" } ?? "error"
    case .abandoned: name = "abandoned"
    }
    return AttemptTrace(
      kind: attempt.plan.kind, start: attempt.plan.start,
      end: max(attempt.end, attempt.plan.start), verdict: attempt.verdict,
      outcome: name,
      sent: record.requestBytes, received: record.responseBytes,
      retryAfter: attempt.retryAfter,
      wasProcessed: server.hasProcessed(url, attempt.number))
  }

  /// Lets a client of the user's own carry a request out.
  private func call(_ request: URLRequest, over network: SimulatedNetwork) async -> RequestRecord {
    guard case .client(let body) = trial.contender.kind else { preconditionFailure("a contender is one or the other") }
    let start = now(network)
    let isSuccess: Bool
    do {
      try await body(network, request, states)
      isSuccess = true
    } catch {
      isSuccess = false
    }
    return RequestRecord(
      client: number, start: start, end: now(network), isSuccess: isSuccess,
      isIdempotent: RetryRequest(request).isIdempotent,
      deadline: trial.workload.deadline, attempts: [])
  }
}

/// A policy for which all clients ask one server, though each has a name of its own for it: circuits and throttles go by the
/// name.
private struct OneServer: WrappingPolicy {
  let base: any RetryPolicy

  func decision(
    after attempt: RetryAttempt, of request: RetryRequest, random: inout RetryRandom
  ) -> RetryDecision {
    base.decision(after: attempt, of: named(request), random: &random)
  }

  func hedgeDelay(after plan: AttemptPlan, of request: RetryRequest) -> Duration? {
    base.hedgeDelay(after: plan, of: named(request))
  }

  func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool { base.grants(plan, of: named(request)) }

  func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool { base.admits(plan, of: named(request)) }

  func didFinish(_ attempt: RetryAttempt, of request: RetryRequest) { base.didFinish(attempt, of: named(request)) }

  private func named(_ request: RetryRequest) -> RetryRequest {
    RetryRequest(
      method: request.method, host: "server.example", isIdempotent: request.isIdempotent,
      isReplayable: request.isReplayable, start: request.start, attempts: request.attempts,
      underWay: request.underWay)
  }
}

/// Keeps what it is told, in order.
private final class Log<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])
  func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
  var all: [Entry] { entries.withLock { $0 } }
}
