import Internals
import NetworkConditions
import RetryPolicies
import URLLoading

/// One simulation: a candidate under a profile with one seed, until the last client's last request ends.
struct Trial: Sendable {
  let profile: NetworkProfile
  let candidate: Candidate
  let seed: UInt64
  let workload: Workload
  let server: ServerModel

  /// The source of the trial's random numbers, derived from its seed.
  var chance: KeyedRandom { KeyedRandom(seed: seed).keyed(by: "trial") }

  func record() async throws -> TrialRecord { try await outcome().record }

  /// Runs the trial; `afterAnswer` is the first error that a user's client threw after a good answer.
  func outcome() async throws -> (record: TrialRecord, afterAnswer: (any Error)?) {
    let origin = start
    let model = ModelServer(
      server, body: workload.responseBody, workload.responseBytes, origin: origin, chance: chance.keyed(by: "service"))
    let run = try await Simulation(
      profile, seed: seed, transport: model, options: limits(origin)
    ) { network in
      try await network.clock.sleep(until: origin)
      let all = Crowd(trial: self, network: network, server: model, origin: origin)
      return await all.run().sorted { ($0.client, $0.turn) < ($1.client, $1.turn) }
    }
    // Such an error is a mistake of the candidate, and says nothing about the network.
    if let error = run.value.lazy.compactMap({ $0.error as? SimulationError }).first { throw error }
    let urls = Set(run.value.map(\.url))
    if workload.clients > 1, let name = commonName(in: run.timeline, but: urls) {
      throw RetryBenchmarkError.impossible(
        "the \(workload.clients) clients of \(candidate.name) all ask the host \(name.quoted), so they share connections, "
          + "unlike real devices: ask the host of the request that each client is given, \(ModelServer.host(of: 0)) and so "
          + "on, or a name that ends in it")
    }
    // Attempts are found by their URLs. If a client requests another URL, they are found by its network's number and
    // their times.
    let all = run.timeline.transfers
    let places = Dictionary(grouping: all.indices) {
      urls.contains(all[$0].url) ? all[$0].url : "\(all[$0].client ?? 0)"
    }
    let requests = run.value.map { record in
      let own = (places[record.url] ?? []) + (record.knowsAttempts ? [] : places["\(record.view)"] ?? [])
      return record.filled(from: own.map { all[$0] }.sorted { $0.started < $1.started }, by: model, origin: origin)
    }
    let end = requests.map(\.end).max() ?? .zero
    let record = TrialRecord(
      seed: seed, requests: requests, outages: outages(from: origin, until: end),
      brownOuts: server.brownOuts.map(\.time).filter { $0.lowerBound < end })
    let unread = zip(run.value, requests).first { client, request in
      client.error != nil && request.attempts.last.map { $0.outcomeClass == .success && $0.wasProcessed } == true
    }
    return (record, unread?.0.error)
  }

  /// The first requested host name that belongs to no single client, so that clients would share its connections.
  private func commonName(in timeline: Timeline, but own: Set<String>) -> String? {
    timeline.transfers.lazy.filter { $0.requestReceived != nil && !own.contains($0.url) }
      .map { URL(string: $0.url)?.host ?? "" }.first { ModelServer.client(of: $0) == nil }
  }

  /// The limits of the simulation, in time and in requests.
  ///
  /// Time: an hour for each request of a client, beyond arrivals and pauses. Requests: an average of 100 attempts
  /// for each, and 1,000 more, but at most ``Workload/mostRequests``.
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

  /// When the first client may start: at random in the phases, or 0 for one phase or a profile already begun.
  private var start: SimulatedInstant {
    let phases = profile.schedule.phases
    let length = phases.lazy.map(\.duration).prefix { $0 != nil }.reduce(Duration.zero) { $0 + ($1 ?? .zero) }
    guard phases.count > 1, length > .zero, !profile.isBegun else { return .zero }
    return SimulatedInstant(
      nanoseconds: chance.keyed(by: "start").number(below: min(length, .longest).wholeNanoseconds))
  }

  /// When a client starts, since the first possible start.
  func arrival(of client: Int) -> Duration {
    let length = workload.arrival.length
    if case .evenly = workload.arrival {
      return .nanoseconds(Int64(Int128(length.wholeNanoseconds) * Int128(client) / Int128(workload.clients)))
    }
    guard case .poisson = workload.arrival else { return .zero }
    // Given their number, the instants of a Poisson stream are independent and uniform.
    let place = chance.keyed(by: "arrival").keyed(by: UInt64(client)).number(below: length.wholeNanoseconds)
    return .nanoseconds(place)
  }

  /// The pause before a client's request: since its last answer, or since its last start in an open loop.
  func pause(of client: Int, before turn: Int) -> Duration {
    (workload.every ?? workload.think).drawn(
      chance.keyed(by: "think").keyed(by: UInt64(client)).keyed(by: UInt64(turn)))
  }

  /// When the network or the server was out, since `origin`.
  private func outages(from origin: SimulatedInstant, until end: Duration) -> [Range<Duration>] {
    var found = server.outages.filter { $0.lowerBound < end }
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

private struct Crowd: Sendable {
  /// The most tasks of one task group; a group scans all its tasks whenever one ends, so groups are nested.
  private static let mostTasks = 64

  private let network: SimulatedNetwork
  /// The clients that run at once, by start time; in an open loop each request is a client by itself.
  private let clients: [Client]

  init(trial: Trial, network: SimulatedNetwork, server: ModelServer, origin: SimulatedInstant) {
    self.network = network
    let common = Client.Common(trial: trial, server: server, origin: origin)
    // State that clients share lives as long as the trial.
    let shared = SharedStates()
    let count = trial.workload.requestsPerClient
    var clients: [Client] = []
    for number in 0..<trial.workload.clients {
      let states = SharedStates(common: shared, client: number)
      var policy: (any RetryPolicy)?
      if case .policy(let make) = trial.candidate.kind {
        policy = trial.workload.limited(make(states))
      }
      var start = origin.advanced(by: trial.arrival(of: number))
      let isOpen = trial.workload.every != nil
      for turns in isOpen ? (0..<count).map({ $0..<$0 + 1 }) : [0..<count] {
        if turns.lowerBound > 0 { start = start.advanced(by: trial.pause(of: number, before: turns.lowerBound)) }
        clients.append(
          Client(
            common: common, number: number, turns: turns, start: start, view: clients.count, states: states,
            policy: policy))
      }
    }
    // Sorted by start time, then by number.
    self.clients = clients.sorted { ($0.start, $0.view) < ($1.start, $1.view) }
  }

  /// Runs all clients at once; one that has not started has no task, since a waiting task takes kilobytes.
  func run() async -> [ClientRecord] { await run(0..<clients.count) }

  private func run(_ some: Range<Int>) async -> [ClientRecord] {
    let first = clients[some.lowerBound]
    guard some.count > 1 else { return await first.run(over: network) }
    try? await network.clock.sleep(until: first.start)
    let size = (some.count + Self.mostTasks - 1) / Self.mostTasks
    return await withTaskGroup(of: [ClientRecord].self) { group in
      for place in stride(from: some.lowerBound, to: some.upperBound, by: size) {
        group.addTask { await run(place..<min(place + size, some.upperBound)) }
      }
      var records: [ClientRecord] = []
      for await some in group { records += some }
      return records
    }
  }
}
