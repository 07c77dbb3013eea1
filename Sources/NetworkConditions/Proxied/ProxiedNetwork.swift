package import LinkSimulator
package import URLLoading

/// The network that other programs' connections travel over: a profile's paths, the connections, and what each of them carries.
///
/// It counts bytes and never sees one, reads no clock and waits for nothing: work goes in at ``time``, ``nextTime`` says when
/// it wants to run, ``advance(to:)`` runs it, and ``takeNews()`` says what happened. A proxy drives it by the clock, a test by
/// hand.
package struct ProxiedNetwork {
  /// What its owner must know, in the order in which it happened.
  package enum News: Hashable, Sendable {
    /// The connection stands.
    case connected(Int)
    /// So many more bytes have reached the end that a direction leads to.
    case arrived(Int, Direction, Int64)
    /// TCP would take more bytes of a direction, and may soon wait for them: time stands still until they are handed in.
    case wanting(Int, Direction)
    /// The end of a direction has reached the other side: its sender says no more.
    case ended(Int, Direction)
    /// The connection is over, in disorder.
    case failed(Int, StreamFailure)
    /// The last byte of an exchange's request has arrived.
    case asked(exchange: Int)
    /// The last byte of an exchange's answer has arrived; the connection may carry another.
    case answered(exchange: Int)
    /// What its owner wanted to be called for is due.
    case due(Int)
  }

  /// How far one direction of a connection has come, in bytes.
  struct Flow {
    /// Handed in and arrived, in all.
    var written: Int64 = 0
    var arrived: Int64 = 0
    /// Of what was handed to the path: handed in and arrived.
    var carried: Int64 = 0
    var carriedArrived: Int64 = 0
    var isFinished = false
    var hasEnded = false
  }

  /// A connection.
  struct Carrier {
    var stream: StreamID
    var path: Int
    var exchange: Int?
    var isConnected = false
    /// Whether faults count the bytes of the stream, so that all of them have to take the way over the link.
    var hasFaults: Bool
    var up = Flow()
    var down = Flow()

    subscript(direction: Direction) -> Flow {
      get { direction == .up ? up : down }
      _modify {
        if direction == .up { yield &up } else { yield &down }
      }
    }
  }

  /// The seed that decides everything that is left to chance.
  package let seed: UInt64
  /// How far the network has run.
  package private(set) var time = SimulatedInstant.zero
  var paths: PathTable
  var identities = RequestIdentities()
  var timeline = TimelineRecorder()
  var exchanges: [Int: ProxiedExchange] = [:]
  private var carriers: [Int: Carrier] = [:]
  /// The number of the next connection: none is given twice, since news may come late.
  private var nextConnection = 0
  private var timers = TimerQueue<Int>()
  private var news: [News] = []
  private var isWanting = false
  private var drained: [PathEvent] = []
  private var isUnlimited: [Bool] = []
  /// What was recorded since it was last taken; `nil` while nobody asks.
  private var unseen: [NetworkEvent]?

  /// Creates the network of a profile.
  package init(profile: NetworkProfile, seed: UInt64) {
    self.seed = seed
    paths = PathTable(seed: seed, profile: profile, replaying: nil)
    drain(0)
  }

  // MARK: Time

  /// When it wants to run next; `nil` when nothing will happen by itself.
  package var nextTime: SimulatedInstant? {
    let next = min(timers.nextTime ?? .distantFuture, paths.nextTime ?? .distantFuture)
    return next < .endOfTime ? next : nil
  }

  /// Whether there is news.
  package var hasNews: Bool { !news.isEmpty }

  /// Runs all that is due up to `limit`, or up to where a sender wants bytes: those come in at that time, not later.
  package mutating func advance(to limit: SimulatedInstant) {
    while let next = nextTime, next <= limit {
      time = max(time, next)
      for index in paths.indices where paths.nextTime(of: index).map({ $0 <= next }) ?? false {
        paths.advance(index, to: next)
        drain(index)
      }
      while let token = timers.popDue(at: next) { news.append(.due(token)) }
      if isWanting { return isWanting = false }
    }
    time = max(time, limit)
  }

  /// Takes what has happened since the last call, oldest first.
  package mutating func takeNews() -> [News] {
    if news.isEmpty { return [] }
    defer { news.removeAll() }
    return news
  }

  /// Has `token` told when the network's time is `time`.
  package mutating func call(_ token: Int, at time: SimulatedInstant) {
    _ = timers.add(token, at: max(time, self.time))
  }

  // MARK: Connections

  /// How many connections there are.
  package var connectionCount: Int { carriers.count }

  subscript(connection: Int) -> Carrier? {
    get { carriers[connection] }
    _modify { yield &carriers[connection] }
  }

  /// Opens a connection for an exchange, and says its number.
  package mutating func open(
    for exchange: Int, host: String, port: Int, use: StreamRequest.ConnectionUse = .own
  ) -> Int {
    guard let open = exchanges[exchange] else { preconditionFailure("an exchange is begun before it is connected") }
    let number = nextConnection
    nextConnection += 1
    let faults = open.plan.streamFaults.filter { $0 != .handshakeFailure }
    let request = StreamRequest(
      key: open.line.key, host: host, port: port, use: use,
      needsResolution: use == .own && Origin.needsResolution(host), faults: faults, owner: number)
    let stream = paths.open(request, on: open.path, at: time)
    carriers[number] = Carrier(stream: stream, path: open.path, exchange: exchange, hasFaults: !faults.isEmpty)
    exchanges[exchange]?.connection = number
    advance(to: time)
    return number
  }

  /// Lets an exchange travel on a connection that stands, once the one before is over.
  package mutating func reuse(_ connection: Int, for exchange: Int) {
    guard let carrier = self[connection], let open = exchanges[exchange] else { return }
    self[connection]?.exchange = exchange
    exchanges[exchange]?.begin(on: connection, carrier, paths.statistics(of: carrier.stream, on: carrier.path))
    add(open.plan.streamFaults.map { $0.shifted(by: carrier.up.written) }, to: connection)
    exchanges[exchange]?.transfer.connected = time
    exchanges[exchange]?.transfer.reusedConnection = true
    record(.connected(reused: true), of: exchange)
  }

  private mutating func add(_ faults: [StreamFault], to connection: Int) {
    guard !faults.isEmpty, let carrier = self[connection] else { return }
    paths.add(faults, on: carrier.path, stream: carrier.stream)
    self[connection]?.hasFaults = true
  }

  /// Adds what goes wrong with a connection from now on: places count from what has been handed in.
  package mutating func strike(_ faults: [StreamFault], _ connection: Int) {
    guard let carrier = self[connection] else { return }
    add(faults.map { $0.shifted(by: carrier.down.written) }, to: connection)
  }

  /// How many bytes of a direction may be handed in: as many as TCP can use, and what is more stays with its sender.
  package mutating func room(_ direction: Direction, on connection: Int) -> Int64 {
    guard let carrier = self[connection], !carrier[direction].isFinished else { return 0 }
    if passes(carrier, direction) { return .max }
    return paths.room(direction, of: carrier.stream, on: carrier.path)
  }

  /// Takes bytes that one end has ready; `finishing` says that no more will follow in this direction.
  ///
  /// - Returns: whether they are at the other end already: a network without limits has nothing to do with them, and nothing
  ///   is told of them.
  @discardableResult
  package mutating func write(
    _ count: Int64, _ direction: Direction, on connection: Int, finishing: Bool = false
  ) -> Bool {
    guard var carrier = self[connection], !carrier[direction].isFinished else { return false }
    carrier[direction].written += count
    carrier[direction].isFinished = finishing
    if passes(carrier, direction) {
      self[connection] = carrier
      if count > 0 { arrived(count, direction, on: connection) }
      if finishing { ended(direction, connection) }
      return true
    }
    carrier[direction].carried += count
    self[connection] = carrier
    paths.write(
      count, direction, on: carrier.path, stream: carrier.stream, finishing: finishing, closing: finishing, at: time)
    advance(to: time)
    noteRequestSent(connection)
    return false
  }

  /// Whether bytes need no way over the link.
  private func passes(_ carrier: Carrier, _ direction: Direction) -> Bool {
    carrier.isConnected && isUnlimited[carrier.path] && !carrier.hasFaults
      && carrier[direction].carried == carrier[direction].carriedArrived
  }

  /// The server resets a connection: the client knows once the reset has come to it.
  package mutating func abort(_ connection: Int) {
    guard let carrier = self[connection] else { return }
    paths.abort(carrier.stream, on: carrier.path, at: time)
    advance(to: time)
  }

  /// Forgets a connection that is of no use to its client any more; an exchange on it that is under way ends so.
  package mutating func close(_ connection: Int, as outcome: Transfer.Outcome = .cancelled) {
    guard let carrier = self[connection] else { return }
    if let exchange = carrier.exchange { end(exchange, as: outcome) }
    remove(connection, isOver: false)
  }

  private mutating func remove(_ connection: Int, isOver: Bool) {
    guard let carrier = self[connection] else { return }
    _ = paths.close(carrier.stream, on: carrier.path, isOver: isOver, at: time)
    carriers[connection] = nil
  }

  // MARK: Events

  private mutating func drain(_ path: Int) {
    var events: [PathEvent] = []
    swap(&events, &drained)
    paths.drain(path, into: &events)
    for event in events { handle(event, on: path) }
    events.removeAll(keepingCapacity: true)
    swap(&events, &drained)
  }

  private mutating func handle(_ event: PathEvent, on path: Int) {
    guard let stream = event.stream else {
      if case .phaseEntered(let index) = event.kind {
        while isUnlimited.count <= path { isUnlimited.append(false) }
        isUnlimited[path] = paths.isUnlimited(path)
        record(.phaseEntered(paths.phaseName(index, of: path)), of: nil)
      }
      return
    }
    let connection = stream.owner
    guard let carrier = self[connection], carrier.stream == stream, carrier.path == path else { return }
    switch event.kind {
    case .resolved(let cached):
      if let exchange = carrier.exchange { exchanges[exchange]?.transfer.resolved = event.time }
      record(.resolved(cached: cached), of: carrier.exchange)
    case .connected:
      self[connection]?.isConnected = true
      if let exchange = carrier.exchange { exchanges[exchange]?.transfer.connected = event.time }
      record(.connected(reused: false), of: carrier.exchange)
      news.append(.connected(connection))
    case .uploaded(let total):
      let count = total - carrier.up.carriedArrived
      self[connection]?.up.carriedArrived = total
      news.append(.arrived(connection, .up, count))
      arrived(count, .up, on: connection)
    case .received(let count):
      self[connection]?.down.carriedArrived += count
      news.append(.arrived(connection, .down, count))
      arrived(count, .down, on: connection)
    case .wanting(let direction):
      isWanting = true
      news.append(.wanting(connection, direction))
    case .requestReceived:
      news.append(.ended(connection, .up))
      ended(.up, connection)
    case .responseReceived:
      news.append(.ended(connection, .down))
      ended(.down, connection)
    case .packetLost(let direction, let reason): record(.packetLost(direction, reason), of: carrier.exchange)
    case .retransmitted(let direction, let cause): record(.retransmitted(direction, cause), of: carrier.exchange)
    case .stalled:
      if let exchange = carrier.exchange { exchanges[exchange]?.transfer.stalls += 1 }
      record(.stalled, of: carrier.exchange)
    case .failed(let failure): fail(connection, failure)
    case .secured, .requestSent, .phaseEntered: break
    }
    noteRequestSent(connection)
  }

  private mutating func fail(_ connection: Int, _ failure: StreamFailure) {
    news.append(.failed(connection, failure))
    if let exchange = self[connection]?.exchange {
      // Where the connection's end is that of the answer, nobody can tell that more was to come.
      let isWhole = failure == .truncated && exchanges[exchange]?.endsWithConnection == true
      end(exchange, as: isWhole ? .finished : .failed(URLError.failure(failure, url: nil).code))
    }
    remove(connection, isOver: true)
  }

  private mutating func arrived(_ count: Int64, _ direction: Direction, on connection: Int) {
    self[connection]?[direction].arrived += count
    guard let carrier = self[connection], let number = carrier.exchange, var exchange = exchanges[number] else {
      return
    }
    let isQuiet = passes(carrier, direction)
    let wasAsked = exchange.transfer.requestReceived != nil
    let kinds = exchange.take(count, direction, total: carrier[direction].arrived, at: time)
    if !wasAsked, exchange.transfer.requestReceived != nil { news.append(.asked(exchange: number)) }
    let isOver = exchange.isAnswered
    exchange.isQuiet = exchange.isQuiet || isQuiet
    exchanges[number] = exchange
    for kind in kinds where !isQuiet || !kind.isProgress { record(kind, of: number) }
    if isOver { end(number, as: .finished) }
  }

  private mutating func ended(_ direction: Direction, _ connection: Int) {
    self[connection]?[direction].hasEnded = true
    guard let carrier = self[connection] else { return }
    if direction == .down, let number = carrier.exchange, exchanges[number]?.endsWithConnection == true {
      end(number, as: .finished)
    }
    guard carrier.up.hasEnded, carrier.down.hasEnded else { return }
    if let number = carrier.exchange { end(number, as: .finished) }
    remove(connection, isOver: false)
  }

  /// The last byte of a request has left, as soon as none of it waits.
  private mutating func noteRequestSent(_ connection: Int) {
    guard let carrier = self[connection], let number = carrier.exchange, let exchange = exchanges[number],
      exchange.transfer.requestSent == nil, exchange.isRequestWritten, carrier.isConnected,
      paths.unsent(.up, of: carrier.stream, on: carrier.path) == 0
    else { return }
    exchanges[number]?.transfer.requestSent = time
    record(.requestSent, of: number)
  }

  // MARK: Exchanges

  /// Begins an exchange: writes it down, finds its path, and draws its faults.
  ///
  /// - Parameters:
  ///   - request: what the rules and faults of the profile match: a request, or `CONNECT` with the URL of a server.
  ///   - path: the path; `nil` asks the profile's rules.
  ///   - head: the bytes of the request's head on the connection.
  package mutating func begin(_ request: URLRequest, path: Int? = nil, head: Int64 = 0, body: Int64 = 0)
    -> ProxiedExchange.Start
  {
    let line = RequestLine(request, identities: &identities)
    let path = path ?? (try? paths.path(for: request)) ?? 0
    for index in paths.indices where index >= isUnlimited.count { drain(index) }
    let plan = paths.faultPlan(for: request, line, length: (head, body), path: path)
    let number = timeline.nextTransfer()
    let transfer = Transfer(
      number: number, method: line.method, url: line.url, shownURL: line.shownURL, occurrence: line.occurrence,
      profile: paths.name(of: path), started: time)
    exchanges[number] = ProxiedExchange(transfer: transfer, line: line, path: path, plan: plan, head: head)
    record(.started(method: line.method, url: line.shownURL), of: number)
    for fault in plan.descriptions { record(.fault(fault), of: number) }
    return ProxiedExchange.Start(number: number, path: path, plan)
  }

  /// Whether an exchange has begun, and not ended.
  package func isUnderWay(_ exchange: Int) -> Bool { exchanges[exchange] != nil }

  /// The whole request has been handed in.
  package mutating func requestEnds(_ exchange: Int) {
    guard let connection = exchanges[exchange]?.connection, let carrier = self[connection] else { return }
    exchanges[exchange]?.requestEnd = carrier.up.written
    if exchanges[exchange]?.noteRequestReceived(carrier.up.arrived, at: time) ?? false {
      news.append(.asked(exchange: exchange))
    }
    noteRequestSent(connection)
  }

  /// The answer begins, of which nothing has been handed in: its faults get their places.
  ///
  /// - Parameters:
  ///   - status: its status; `nil` where the connection carries what nobody reads.
  ///   - head: the bytes of its head.
  ///   - body: the bytes of its body on the connection, where that is known.
  /// - Returns: which byte of the body is flipped, if one is, and how long the connection may be idle afterwards.
  @discardableResult
  package mutating func answerBegins(
    _ number: Int, status: Int?, head: Int64, body: Int64?, endsWithConnection: Bool
  ) -> (flipped: Int64?, idleLimit: Duration?) {
    guard var exchange = exchanges[number], let connection = exchange.connection, let carrier = self[connection] else {
      return (nil, nil)
    }
    exchange.answerBegins(
      status: status, head: head, body: body, endsWithConnection: endsWithConnection, at: carrier.down.written)
    exchange.plan.place(in: (head, body ?? BytePosition.usualLength))
    exchanges[number] = exchange
    let faults = exchange.plan.ofResponse
    for planned in faults { record(.fault(planned.fault.description), of: number) }
    paths.noteStrike(faults, to: exchange.line, on: carrier.path)
    let strikes = faults.compactMap { $0.fault.value.streamFault }
    add(strikes.filter { $0.idleLimit == nil }.map { $0.shifted(by: carrier.down.written) }, to: connection)
    return (exchange.plan.corruptedByte, strikes.compactMap(\.idleLimit).min())
  }

  /// The answer ends with what has been handed in.
  package mutating func answerEnds(_ number: Int) {
    guard let connection = exchanges[number]?.connection, let carrier = self[connection] else { return }
    exchanges[number]?.answerEnd = carrier.down.written
    if exchanges[number]?.noteAnswered(carrier.down.arrived) ?? false { end(number, as: .finished) }
  }

  /// Ends an exchange, if it is under way.
  package mutating func end(_ number: Int, as outcome: Transfer.Outcome) {
    guard var exchange = exchanges.removeValue(forKey: number) else { return }
    if let connection = exchange.connection, let carrier = self[connection] {
      let total = paths.statistics(of: carrier.stream, on: carrier.path)
      exchange.transfer.wire = total.since(exchange.statistics)
      if carrier.exchange == number { self[connection]?.exchange = nil }
    }
    // What was passed on without a way over the link is told once.
    if exchange.isQuiet {
      let kinds: [NetworkEvent.Kind?] = [
        exchange.transfer.bytesSent > 0 ? .uploaded(bytes: exchange.transfer.bytesSent, of: nil) : nil,
        exchange.transfer.bytesReceived > 0
          ? .received(bytes: exchange.transfer.bytesReceived, of: exchange.transfer.bytesExpected) : nil,
      ]
      for kind in kinds.compactMap({ $0 }) { record(kind, of: number) }
    }
    exchange.transfer.ended = time
    exchange.transfer.outcome = outcome
    timeline.keep(exchange.transfer)
    let kind: NetworkEvent.Kind? =
      switch outcome {
      case .finished: .finished
      case .failed(let code): .failed(code)
      case .cancelled: .cancelled
      case .running: nil
      }
    if let kind { record(kind, of: number) }
    if outcome == .finished { news.append(.answered(exchange: number)) }
  }

  // MARK: Conditions

  /// The profile in force.
  package var profile: NetworkProfile { paths.profile }

  /// Puts another profile in force.
  package mutating func use(_ profile: NetworkProfile) {
    paths.use(profile, at: time)
    record(.conditionsChanged(profile.name), of: nil)
    refresh()
  }

  /// Takes the network out, or back (`nil`).
  package mutating func setOutage(_ outage: PathConditions.Outage?) {
    paths.setOutage(outage, at: time)
    record(.conditionsChanged(outage.map { "offline (\($0.rawValue))" } ?? paths.profile.name), of: nil)
    refresh()
  }

  /// Makes a path beside the profile's own, with conditions of its own, and says its number.
  package mutating func addPath(_ profile: NetworkProfile) -> Int {
    let path = paths.addPath(profile, at: time)
    refresh()
    return path
  }

  /// Puts other conditions in force on such a path.
  package mutating func use(_ profile: NetworkProfile, on path: Int) {
    paths.use(profile, on: path, at: time)
    refresh()
  }

  private mutating func refresh() {
    for path in paths.indices {
      paths.advance(path, to: time)
      drain(path)
    }
  }

  // MARK: The timeline

  /// All that happened up to now, with what is under way as far as it is.
  package mutating func snapshot() -> Timeline {
    var transfers = timeline.transfers.all
    for (_, exchange) in exchanges {
      var transfer = exchange.transfer
      if let connection = exchange.connection, let carrier = self[connection] {
        transfer.wire = paths.statistics(of: carrier.stream, on: carrier.path).since(exchange.statistics)
      }
      transfers.append(transfer)
    }
    transfers.sort { $0.number < $1.number }
    return Timeline(
      transfers: transfers, droppedTransfers: timeline.transfers.dropped, events: timeline.events.all,
      droppedEvents: timeline.events.dropped, seed: seed, profile: paths.profile.name, conditions: paths.applied,
      packets: paths.packetLogs(), time: time, redaction: identities.redaction)
  }

  /// Whether it is written down what happens to every packet.
  package var recordsPackets: Bool {
    get { paths.recordsPackets }
    set { paths.recordsPackets = newValue }
  }

  /// Takes secrets out of the texts; to be set before there are exchanges.
  package var redaction: Redaction {
    get { identities.redaction }
    set { identities.redaction = newValue }
  }

  /// Has events kept for ``takeEvents()``.
  package mutating func observeEvents() {
    unseen = unseen ?? []
  }

  /// Takes what was recorded since the last call.
  package mutating func takeEvents() -> [NetworkEvent] {
    guard let events = unseen, !events.isEmpty else { return [] }
    unseen = []
    return events
  }

  private mutating func record(_ kind: NetworkEvent.Kind, of exchange: Int?) {
    timeline.record(kind, at: time, transfer: exchange)
    unseen?.append(NetworkEvent(time: time, transfer: exchange, kind: kind))
  }
}

extension ProxiedNetwork {
  /// The timeline of a network in which nothing happened.
  package static var emptyTimeline: Timeline {
    var network = ProxiedNetwork(profile: .unlimited, seed: 0)
    return network.snapshot()
  }
}
