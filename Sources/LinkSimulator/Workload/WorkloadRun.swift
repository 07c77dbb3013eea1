/// One run of a workload; each end has one processor, which handles simultaneous work in order.
struct WorkloadRun {
  /// Something that an end does when its processor is free.
  private enum Action {
    case begin(request: Int)
    /// The client writes a request; `sendBody` writes a body that waited for `100 Continue`.
    case send(request: Int)
    case sendBody(request: Int)
    /// The server responds; `goOn` asks for the body.
    case answer(request: Int)
    case goOn(request: Int)
  }

  private enum Expectation {
    case unread
    case answered
    case met
  }

  private let workload: WorkloadScenario
  private var path: PathSimulator
  private var actions: [Action] = []
  /// The pending actions, ordered by time.
  private var agenda = MinimumHeap()
  private var client: Processor
  private var server: Processor
  private var streams: [StreamID?]
  private var times: [WorkloadScenario.Times]
  /// How many unfinished requests each request still waits for.
  private var blockers: [Int]
  private var dependants: [[Int]]
  /// The hosts to which an HTTP/2 HEADERS frame has been sent.
  private var greeted: Set<String> = []
  /// For each request with a body: its state in the exchange of `100 Continue`.
  private var expectations: [Expectation]
  private var remaining: Int
  private var events: [PathEvent] = []

  init(_ workload: WorkloadScenario, seed: UInt64) {
    self.workload = workload
    var configuration = workload.configuration
    // Each end wakes up once during a TLS handshake.
    configuration.handshakeComputing += workload.costs.waking * 2
    path = PathSimulator(seed: seed, schedule: workload.schedule, configuration: configuration)
    let chance = KeyedRandom(seed: seed).keyed(by: "processors")
    client = Processor(waking: workload.costs.waking, chance.keyed(by: 0))
    server = Processor(waking: workload.costs.waking, chance.keyed(by: 1))
    let count = workload.requests.count
    streams = Array(repeating: nil, count: count)
    times = Array(repeating: WorkloadScenario.Times(), count: count)
    expectations = workload.requests.map { $0.expects ? .unread : .met }
    blockers = workload.requests.map(\.after.count)
    dependants = Array(repeating: [], count: count)
    remaining = count
    for (place, request) in workload.requests.enumerated() {
      for before in request.after { dependants[before].append(place) }
    }
  }

  mutating func outcome() -> WorkloadScenario.Outcome {
    let end = workload.limit.wholeNanoseconds
    let first = workload.costs.connect.wholeNanoseconds
    for (place, request) in workload.requests.enumerated() where request.after.isEmpty {
      plan(.begin(request: place), at: max(first, request.start.wholeNanoseconds))
    }
    while remaining > 0 {
      let next = min(path.nextEventTime?.nanoseconds ?? .max, agenda.firstTime)
      guard next <= end else { break }
      path.advance(to: SimulatedInstant(nanoseconds: next))
      collect()
      if agenda.firstTime <= next, path.nextEventTime?.nanoseconds ?? .max > next {
        perform(actions[agenda.removeFirst().value])
        path.advance(to: SimulatedInstant(nanoseconds: next))
        collect()
      }
    }
    return WorkloadScenario.Outcome(times: times)
  }

  private mutating func plan(_ action: Action, at time: Int64) {
    agenda.insert(time: time, value: actions.count)
    actions.append(action)
  }

  /// Plans a client's action, when its processor wakes up.
  private mutating func planCall(_ action: Action, at time: Int64) {
    let start = client.wake(at: time)
    client.work(from: start, for: workload.costs.call)
    plan(action, at: start)
  }

  private mutating func planAnswer(_ action: Action, at time: Int64) {
    server.work(from: server.wake(at: time), for: workload.costs.thinking)
    plan(action, at: server.freeAt)
  }

  private mutating func collect() {
    path.drainEvents { events.append($0) }
    for event in events { react(to: event) }
    events.removeAll(keepingCapacity: true)
  }

  private mutating func react(to event: PathEvent) {
    guard let place = event.stream?.owner else { return }
    let time = event.time.nanoseconds
    let request = workload.requests[place]
    switch event.kind {
    case .connected(let reused):
      if !workload.client.isSecure || reused { planCall(.send(request: place), at: time) }
    case .secured:
      planCall(.send(request: place), at: time)
    case .uploaded(let total):
      if expectations[place] == .unread, total >= head(of: request) {
        expectations[place] = .answered
        planAnswer(.goOn(request: place), at: time)
      }
    case .requestReceived:
      planAnswer(.answer(request: place), at: time)
    case .received:
      if expectations[place] == .answered {
        expectations[place] = .met
        planCall(.sendBody(request: place), at: time)
      } else if times[place].answered == nil {
        times[place].answered = .nanoseconds(time)
      }
    case .responseReceived:
      finish(place, at: time)
    case .failed:
      remaining = 0
    default:
      break
    }
  }

  private mutating func finish(_ place: Int, at arrival: Int64) {
    let time = client.wake(at: arrival)
    client.work(from: time, for: .zero)
    times[place].finished = .nanoseconds(time)
    remaining -= 1
    for dependant in dependants[place] {
      blockers[dependant] -= 1
      guard blockers[dependant] == 0 else { continue }
      let request = workload.requests[dependant]
      let ready = time + workload.costs.reaction.wholeNanoseconds + request.wait.wholeNanoseconds
      plan(.begin(request: dependant), at: max(ready, request.start.wholeNanoseconds))
    }
  }

  private mutating func perform(_ action: Action) {
    switch action {
    case .begin(let place): begin(place)
    case .send(let place): send(place)
    case .sendBody(let place): write(workload.requests[place].requestBytes, .up, place, finishing: true)
    case .goOn(let place): write(MessageSizes.goOn, .down, place, finishing: false)
    case .answer(let place): answer(place)
    }
  }

  /// Starts a request, or postpones it until the client's processor is free.
  private mutating func begin(_ place: Int) {
    let now = path.now.nanoseconds
    if client.freeAt > now { return plan(.begin(request: place), at: client.freeAt) }
    let request = workload.requests[place]
    client.work(from: now, for: workload.costs.call)
    times[place].begun = .nanoseconds(now)
    streams[place] = path.open(
      StreamRequest(
        key: UInt64(place), host: request.host, port: 80, isSecure: workload.client.isSecure,
        version: workload.client.version, headBytes: head(of: request),
        needsResolution: workload.needsResolution, owner: place))
  }

  /// Writes a request; the head of an upload goes separately, in its own segment.
  private mutating func send(_ place: Int) {
    let request = workload.requests[place]
    let isUpload = request.method == .put
    times[place].sent = .nanoseconds(path.now.nanoseconds)
    write(head(of: request), .up, place, finishing: !isUpload)
    if workload.client.version == .http2 { greeted.insert(request.host) }
    if isUpload, !request.expects { write(request.requestBytes, .up, place, finishing: true) }
  }

  private func head(of request: WorkloadScenario.Request) -> Int64 {
    guard workload.client.version != .http1 else {
      return MessageSizes.head(of: request) + (request.closes ? MessageSizes.close : 0)
    }
    // The simulator adds the frame's header of 9 bytes.
    return (greeted.contains(request.host) ? MessageSizes.laterShortHead : MessageSizes.firstShortHead) - 9
  }

  private mutating func answer(_ place: Int) {
    let request = workload.requests[place]
    if workload.client.version != .http1 {
      let isEmpty = request.responseBytes == 0
      write(MessageSizes.shortResponseHead - 9, .down, place, finishing: isEmpty)
      if !isEmpty { write(request.responseBytes, .down, place, finishing: true) }
    } else if request.method == .put, request.responseBytes == 0 {
      write(MessageSizes.uploadResponse, .down, place, finishing: true)
    } else {
      write(MessageSizes.responseHead(of: request) + request.responseBytes, .down, place, finishing: true)
    }
  }

  private mutating func write(_ count: Int64, _ direction: Direction, _ place: Int, finishing: Bool) {
    guard let stream = streams[place] else { return }
    let persistence: StreamRequest.Persistence = workload.requests[place].closes ? .closed : .kept
    path.write(count, direction, on: stream, finishing: finishing, connection: persistence)
  }
}
