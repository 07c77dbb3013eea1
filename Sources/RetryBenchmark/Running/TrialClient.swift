import Internals
import NetworkConditions
import RetryPolicies
import URLLoading

/// A request as its client saw it; the simulated network knows its bytes.
struct ClientRecord: Sendable {
  let client: Int
  let turn: Int
  /// The request's URL, which no other request has.
  let url: String
  /// The number of the network view that the client received.
  let view: Int
  var request: RequestRecord
  /// Whether a policy reported the attempts; otherwise they must be found among the transfers.
  let knowsAttempts: Bool
  var error: (any Error)?

  /// The request's record, completed with the bytes and attempts that the network saw.
  func filled(from transfers: [Transfer], by server: ModelServer, origin: SimulatedInstant) -> RequestRecord {
    var filled = request
    guard knowsAttempts else {
      let first = transfers.partitioningIndex { origin.duration(to: $0.started) >= request.start }
      // A transfer that starts as the request ends belongs to the next request, unless it failed at once.
      let end = origin.advanced(by: request.end)
      let own = transfers[first...].prefix { $0.started < end || $0.ended.map { $0 <= end } == true }
      filled.attempts = own.enumerated().map { index, transfer in
        AttemptTrace(transfer, index: index, by: server, origin: origin, end: request.end)
      }
      return filled
    }
    for index in filled.attempts.indices {
      guard let transfer = transfers.first(where: { $0.occurrence == index + 1 }) else { continue }
      filled.attempts[index].sent = Int(clamping: transfer.wire.up.bytes)
      filled.attempts[index].received = Int(clamping: transfer.wire.down.bytes)
    }
    return filled
  }
}

extension AttemptTrace {
  /// Creates the trace of a user's client's attempt from its transfer in the network.
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
      outcomeClass: isGood ? .success : transfer.outcome == .cancelled ? .abandoned : .transientFailure, outcome: name,
      sent: Int(clamping: transfer.wire.up.bytes), received: Int(clamping: transfer.wire.down.bytes),
      wasProcessed: server.hasProcessed(transfer.url, transfer.occurrence))
  }
}

/// One client of a trial; in an open loop, one of its requests.
struct Client: Sendable {
  /// What all clients of a trial share; a class keeps a client small, since tens of thousands wait at once.
  final class Common: Sendable {
    let trial: Trial
    let server: ModelServer
    let origin: SimulatedInstant

    init(trial: Trial, server: ModelServer, origin: SimulatedInstant) {
      (self.trial, self.server, self.origin) = (trial, server, origin)
    }
  }

  let common: Common
  let number: Int
  /// The numbers of the requests that this client sends, one after another.
  let turns: Range<Int>
  let start: SimulatedInstant
  /// The number of the client's network view, which no other client has.
  let view: Int
  let states: SharedStates
  let policy: (any RetryPolicy)?

  /// Waits for the client's start, sends its requests and returns their records.
  func run(over network: SimulatedNetwork) async -> [ClientRecord] {
    let network = network.client(view)
    try? await network.clock.sleep(until: start)
    var records: [ClientRecord] = []
    let chance = common.trial.chance.keyed(by: UInt64(number))
    for turn in turns {
      guard let request = request(turn) else { break }
      let pause = turn == turns.lowerBound ? .zero : common.trial.pause(of: number, before: turn)
      if pause > .zero { try? await network.clock.sleep(for: pause) }
      let record: RequestRecord
      var error: (any Error)?
      if let policy {
        record = await follow(policy, request, over: network, chance.keyed(by: UInt64(turn)))
      } else {
        (record, error) = await call(request, over: network)
      }
      records.append(
        ClientRecord(
          client: number, turn: turn,
          url: request.url?.absoluteString ?? "", view: view, request: record, knowsAttempts: policy != nil,
          error: error))
    }
    return records
  }

  private func request(_ turn: Int) -> URLRequest? {
    guard let url = URL(string: "http://\(ModelServer.host(of: number))/\(number)/\(turn)") else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = common.trial.workload.method
    if common.trial.workload.requestBytes > 0 { request.httpBody = Data(count: common.trial.workload.requestBytes) }
    return request
  }

  private func now(_ network: SimulatedNetwork) -> Duration { common.origin.duration(to: network.now) }

  /// Sends a request with the retrying client, under a policy.
  private func follow(
    _ policy: any RetryPolicy, _ request: URLRequest, over network: SimulatedNetwork, _ chance: KeyedRandom
  ) async -> RequestRecord {
    let log = Locked<[AttemptRecord]>([])
    let start = now(network)
    let clock = RetryClock(
      network.clock, origin: common.origin,
      date: { Date(timeIntervalSince1970: Double(network.now.nanoseconds) / 1e9) })
    let isSuccess: Bool
    do {
      // Circuits and throttles go by the host, and all clients of a trial use one server.
      let (_, response) = try await network.data(
        for: request, to: "server.example", retry: policy, clock: clock, random: RetryRandom(seed: chance.bits),
        observe: { record in log.withLock { $0.append(record) } })
      isSuccess = (response as? HTTPURLResponse).map { $0.statusCode < 400 } ?? true
    } catch {
      isSuccess = false
    }
    let records = log.value.sorted { $0.attempt.number < $1.attempt.number }
    let url = request.url?.absoluteString ?? ""
    let attempts = records.map { trace($0, url) }
    let denied = records.contains { record in
      if case .done(let reason) = record.next { reason == .denied || reason == .refused } else { false }
    }
    return RequestRecord(
      client: number, start: start, end: now(network), isSuccess: isSuccess,
      isIdempotent: RetryRequest(request).isIdempotent,
      deadline: common.trial.workload.deadline, wasDenied: denied, attempts: attempts)
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
      end: max(attempt.end, attempt.plan.start), outcomeClass: attempt.outcomeClass,
      outcome: name,
      sent: record.requestBytes, received: record.responseBytes,
      retryAfter: attempt.retryAfter,
      wasProcessed: common.server.hasProcessed(url, attempt.number))
  }

  /// Sends a request with the user's own client; returns its record and the error that it threw.
  private func call(
    _ request: URLRequest, over network: SimulatedNetwork
  ) async -> (RequestRecord, (any Error)?) {
    guard case .client(let body) = common.trial.candidate.kind else {
      preconditionFailure("a candidate is one or the other")
    }
    let start = now(network)
    var thrown: (any Error)?
    do {
      try await body(network, request, states)
    } catch {
      thrown = error
    }
    let record = RequestRecord(
      client: number, start: start, end: now(network), isSuccess: thrown == nil,
      isIdempotent: RetryRequest(request).isIdempotent,
      deadline: common.trial.workload.deadline, attempts: [])
    return (record, thrown)
  }
}
