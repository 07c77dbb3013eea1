package import LinkSimulator
import URLLoading

/// The network that other programs' connections travel over; it counts bytes and never sees one, reads no clock and
/// waits for nothing: work goes in at ``time``, ``nextTime`` says when it wants to run, ``advance(to:)`` runs it, and
/// ``takeNews()`` says what happened.
package struct ProxiedNetwork {
  /// An event that the owner of the network must act on; ``takeNews()`` returns them in the order of their times.
  package enum News: Hashable, Sendable {
    case connected(Int)
    case arrived(Int, Direction, Int64)
    /// TCP would take more bytes of a direction, and may soon wait for them: time stands still until they are handed in.
    case wanting(Int, Direction)
    case ended(Int, Direction)
    /// The connection is over, in disorder.
    case failed(Int, StreamFailure)
    case asked(exchange: Int)
    /// The last byte of an exchange's answer has arrived; the connection may carry another.
    case answered(exchange: Int)
    /// The time for which the owner asked to be called (``call(_:at:)``) has come: the token of that call.
    case due(Int)
  }

  package let seed: UInt64
  package private(set) var time = SimulatedInstant.zero
  var paths: PathTable
  var identities = RequestIdentities()
  var timeline = TimelineRecorder()
  var exchanges: [Int: ProxiedExchange] = [:]
  private var carriers: [Int: Carrier] = [:]
  /// The number of the next connection: none is given twice, since news may come late.
  private var nextConnection = 0
  private var timers = TimerQueue<Int>()
  var news: [News] = []
  var isWanting = false
  var isUnlimited: [Bool] = []
  /// The events recorded since the last call of ``takeEvents()``; `nil` where events are not observed.
  var unseen: [NetworkEvent]?

  package init(profile: NetworkProfile, seed: UInt64) {
    self.seed = seed
    paths = PathTable(seed: seed, profile: profile, replaying: nil)
    drain(0)
  }

  // MARK: Time

  /// When it wants to run next; `nil` when nothing will happen by itself.
  package var nextTime: SimulatedInstant? {
    mutating get {
      let next = min(timers.nextTime ?? .distantFuture, paths.nextTime ?? .distantFuture)
      return next < .endOfTime ? next : nil
    }
  }

  package var hasNews: Bool { !news.isEmpty }

  /// Runs all that is due up to `limit`, or up to where a sender wants bytes: those come in at that time, not later.
  package mutating func advance(to limit: SimulatedInstant) {
    while let next = nextTime, next <= limit {
      time = max(time, next)
      for index in paths.indices where paths.isDue(index, at: next) {
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

  /// Has ``News/due(_:)`` reported with `token` when the network's time is `time`.
  package mutating func call(_ token: Int, at time: SimulatedInstant) {
    _ = timers.add(token, at: max(time, self.time))
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

  mutating func add(_ faults: [StreamFault], to connection: Int) {
    guard !faults.isEmpty, let carrier = self[connection] else { return }
    paths.add(faults, on: carrier.path, stream: carrier.stream)
    self[connection]?.hasFaults = true
  }

  /// Adds faults to a connection from now on: their places count from the bytes of the download that were handed in.
  package mutating func strike(_ faults: [StreamFault], _ connection: Int) {
    guard let carrier = self[connection] else { return }
    add(faults.map { $0.shifted(by: carrier.down.written) }, to: connection)
  }

  /// How many bytes of a direction may be handed in: as many as TCP can use; the rest stays with their sender.
  package mutating func room(_ direction: Direction, on connection: Int) -> Int64 {
    guard let carrier = self[connection], !carrier[direction].isFinished else { return 0 }
    if passes(carrier, direction) { return .max }
    return paths.room(direction, of: carrier.stream, on: carrier.path)
  }

  /// Takes bytes that one end has ready; returns whether they are at the other end already, over a network without
  /// limits.
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

  /// Whether bytes bypass the link: it has no limits, no faults, and none of the connection's bytes under way.
  func passes(_ carrier: Carrier, _ direction: Direction) -> Bool {
    carrier.isConnected && isUnlimited[carrier.path] && !carrier.hasFaults
      && carrier[direction].carried == carrier[direction].carriedArrived
  }

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

  mutating func remove(_ connection: Int, isOver: Bool) {
    guard let carrier = self[connection] else { return }
    _ = paths.close(carrier.stream, on: carrier.path, isOver: isOver, at: time)
    carriers[connection] = nil
  }
}
