package import LinkSimulator
import URLLoading

/// A simulated network for other programs' connections; it counts bytes without seeing them.
///
/// It reads no clock and never waits. Its owner adds work at ``time``, asks ``nextTime`` when it must run, runs it with
/// ``advance(to:)``, and reads the results with ``takeNews()``.
package struct ProxiedNetwork {
  /// An event that the network's owner must act on; ``takeNews()`` returns them in order of time.
  package enum News: Hashable, Sendable {
    case connected(Int)
    case arrived(Int, Direction, Int64)
    /// TCP can take more bytes of a direction; time stands still until the owner writes them.
    case wanting(Int, Direction)
    case ended(Int, Direction)
    case failed(Int, StreamFailure)
    case asked(exchange: Int)
    /// The last byte of an exchange's answer has arrived; the connection can carry another exchange.
    case answered(exchange: Int)
    /// The time of a ``call(_:at:)`` has come; the value is its token.
    case due(Int)
  }

  package let seed: UInt64
  package private(set) var time = SimulatedInstant.zero
  var paths: PathTable
  var identities = RequestIdentities()
  var timeline = TimelineRecorder()
  var exchanges: [Int: ProxiedExchange] = [:]
  private var carriers: [Int: Carrier] = [:]
  /// The number of the next connection; numbers are never reused, because events for an old one may come late.
  private var nextConnection = 0
  private var timers = TimerQueue<Int>()
  var news: [News] = []
  var isWanting = false
  var isUnlimited: [Bool] = []
  /// The events since the last ``takeEvents()``; `nil` if events are not collected.
  var unseen: [NetworkEvent]?

  package init(profile: NetworkProfile, seed: UInt64) {
    self.seed = seed
    paths = PathTable(seed: seed, profile: profile, replaying: nil)
    drain(0)
  }

  // MARK: Time

  /// When the network must run next; `nil` if nothing is scheduled.
  package var nextTime: SimulatedInstant? {
    mutating get {
      let next = min(timers.nextTime ?? .distantFuture, paths.nextTime ?? .distantFuture)
      return next < .endOfTime ? next : nil
    }
  }

  package var hasNews: Bool { !news.isEmpty }

  /// Runs all work that is due up to `limit`; stops earlier when a sender can write, so that it writes at that instant.
  package mutating func advance(to limit: SimulatedInstant) {
    while let next = nextTime, next <= limit {
      time = max(time, next)
      for index in paths.indices where paths.entries[index].isDue(at: next) {
        paths.advance(index, to: next)
        drain(index)
      }
      while let token = timers.popDue(at: next) { news.append(.due(token)) }
      if isWanting { return isWanting = false }
    }
    time = max(time, limit)
  }

  package mutating func takeNews() -> [News] {
    if news.isEmpty { return [] }
    defer { news.removeAll() }
    return news
  }

  /// Reports ``News/due(_:)`` with `token` at `time`.
  package mutating func call(_ token: Int, at time: SimulatedInstant) {
    _ = timers.add(token, at: time)
  }

  // MARK: Connections

  package var connectionCount: Int { carriers.count }

  subscript(connection: Int) -> Carrier? {
    get { carriers[connection] }
    _modify { yield &carriers[connection] }
  }

  package mutating func open(
    for exchange: Int, host: String, port: Int, use: StreamRequest.ConnectionUse = .own
  ) -> Int {
    guard let open = exchanges[exchange] else { preconditionFailure("an exchange must begin before it connects") }
    let number = nextConnection
    nextConnection += 1
    let faults = open.plan.streamFaults.filter { $0 != .handshakeFailure }
    let request = StreamRequest(
      key: open.line.key, host: host, port: port, use: use,
      needsResolution: use == .own && Origin.needsResolution(host), faults: faults, owner: number)
    let stream = paths.entries[open.path].change(at: time) { $0.open(request) }
    carriers[number] = Carrier(stream: stream, path: open.path, exchange: exchange, hasFaults: !faults.isEmpty)
    exchanges[exchange]?.connection = number
    advance(to: time)
    return number
  }

  /// Starts an exchange on an open connection, after the earlier one has ended.
  package mutating func reuse(_ connection: Int, for exchange: Int) {
    guard let carrier = self[connection], let open = exchanges[exchange] else { return }
    self[connection]?.exchange = exchange
    exchanges[exchange]?.begin(on: connection, carrier, paths.statistics(of: carrier.stream, on: carrier.path))
    add(open.plan.streamFaults.map { $0.shifted(by: carrier.up.carried) }, to: connection)
    exchanges[exchange]?.transfer.connected = time
    exchanges[exchange]?.transfer.reusedConnection = true
    record(.connected(reused: true), of: exchange)
  }

  mutating func add(_ faults: [StreamFault], to connection: Int) {
    guard !faults.isEmpty, let carrier = self[connection] else { return }
    paths.entries[carrier.path].change { $0.add(faults, to: carrier.stream) }
    self[connection]?.hasFaults = true
  }

  /// Adds faults to a connection; their positions count from the next byte of the download.
  package mutating func strike(_ faults: [StreamFault], _ connection: Int) {
    guard let carrier = self[connection] else { return }
    add(faults.map { $0.shifted(by: carrier.down.carried) }, to: connection)
  }

  /// How many bytes of a direction TCP can take now; the sender keeps the rest.
  package mutating func room(_ direction: Direction, on connection: Int) -> Int64 {
    guard let carrier = self[connection], !carrier[direction].isFinished else { return 0 }
    if passes(carrier, direction) { return .max }
    return paths.entries[carrier.path].change { $0.room(direction, on: carrier.stream) }
  }

  /// Writes bytes of one end; returns whether they have arrived already, as over a network without limits.
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
      count, direction, on: carrier.path, stream: carrier.stream, finishing: finishing,
      connection: finishing ? .endOfResponse : .kept, at: time)
    advance(to: time)
    noteRequestSent(connection)
    return false
  }

  /// Whether bytes may skip the simulated link: no limits, no faults on the connection, and none of its bytes under
  /// way.
  func passes(_ carrier: Carrier, _ direction: Direction) -> Bool {
    carrier.isConnected && isUnlimited[carrier.path] && !carrier.hasFaults
      && carrier[direction].carried == carrier[direction].carriedArrived
  }

  package mutating func abort(_ connection: Int) {
    guard let carrier = self[connection] else { return }
    paths.entries[carrier.path].change(at: time) { $0.abort(carrier.stream) }
    advance(to: time)
  }

  /// Closes a connection that its client no longer uses, and ends its open exchange with `outcome`.
  package mutating func close(_ connection: Int, as outcome: Transfer.Outcome = .cancelled) {
    guard let carrier = self[connection] else { return }
    if let exchange = carrier.exchange { end(exchange, as: outcome) }
    remove(connection, isOver: false)
  }

  mutating func remove(_ connection: Int, isOver: Bool) {
    guard let carrier = self[connection] else { return }
    _ = paths.close(carrier.stream, on: carrier.path, isOver: isOver, at: time)
    carriers[connection] = nil
  }
}
