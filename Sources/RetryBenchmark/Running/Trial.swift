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
  func record() async throws -> TrialRecord { try await outcome().record }

  /// The same, and the first error that a client of the user's own threw after a good answer.
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
    let urls = Set(run.value.map(\.url))
    if workload.clients > 1, let name = commonName(in: run.timeline, but: urls) {
      throw RetryBenchmarkError.impossible(
        "\(contender.name) asks \(name.quoted), a name that its \(workload.clients) clients share, and with it connections, as "
          + "no devices do: ask the host of the request that it is handed, \(ModelServer.host(of: 0)) and so on, or a name "
          + "that ends in it")
    }
    // Attempts are found by their URLs; those of a client that asks another one by the network that it was handed, and their
    // times.
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
      brownOuts: server.allBrownOuts.filter { $0.lowerBound < end }, zones: model.loads)
    let unread = zip(run.value, requests).first { client, request in
      client.error != nil && request.attempts.last.map { $0.verdict == .success && $0.wasProcessed } == true
    }
    return (record, unread?.0.error)
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
  func arrival(of client: Int) -> Duration {
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
    let common = Client.Common(trial: trial, server: server, origin: origin)
    // State that clients share lives as long as the trial.
    let shared = SharedStates()
    let count = trial.workload.requestsPerClient
    var clients: [Client] = []
    for number in 0..<trial.workload.clients {
      let states = SharedStates(common: shared, client: number)
      var policy: (any RetryPolicy)?
      if case .policy(let make) = trial.contender.kind {
        policy = trial.workload.limited(OneServer(base: make(states)))
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
    // In the order of their times, and of their numbers where these are equal.
    self.clients = clients.sorted { ($0.start, $0.view) < ($1.start, $1.view) }
  }

  /// Runs all of them at once, and gives what they have done, in any order.
  ///
  /// Those that have not come yet have no task: a waiting task takes kilobytes.
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
