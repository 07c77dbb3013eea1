import Internals
import LinkSimulator
import NetworkConditions
import URLLoading

/// The logic of a proxy, without clock, thread and sockets.
///
/// Its owner reports the sockets' events; the proxy acts on the sockets through `system`. Only one thread may use it.
final class ProxyCore {
  /// How many arrived bytes may wait until their receiver takes them; then reading pauses.
  static let mostWaiting = 256 << 10
  /// How many bytes of a client may wait to be parsed.
  static let mostUnparsed = 16 << 10
  /// How long a client may take to send its request, and how long connecting may take, in nanoseconds.
  static let patience: UInt64 = 30_000_000_000
  static let connectPatience: UInt64 = 120_000_000_000
  /// How long a client has to take the last bytes before its connection is closed, in nanoseconds.
  static let closeDelay: UInt64 = 5_000_000_000

  let system: any SocketSystem
  var network: ProxiedNetwork
  /// The system's uptime in nanoseconds at the last call.
  var uptime: UInt64 = 0
  /// The connections by the socket of their client, and by that of their server.
  var clients: [Int32: ProxyConnection] = [:]
  var servers: [Int32: ProxyConnection] = [:]
  /// The connections by their link's number in the network, and by their exchange's number.
  private var linked: [Int: ProxyConnection] = [:]
  private var carrying: [Int: ProxyConnection] = [:]
  private var connecting: [Int: ProxyConnection] = [:]
  /// The connections that have more to do and wait for another turn.
  private var pending: [ProxyConnection] = []
  private var dues: [Int: () -> Void] = [:]
  private var counter = 0
  var isObserved = false {
    didSet { if isObserved { network.observeEvents() } }
  }
  /// The addresses on which the proxy listens, by socket; the proxy must not connect to them.
  var ownAddresses: [Int32: SocketAddress] = [:]
  var guardian = ControlGuard()
  var control: (ControlRequest) -> ControlAnswer = { _ in ControlAnswer(status: 404, text: "404 page not found\n") }
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  init(profile: NetworkProfile, seed: UInt64, system: any SocketSystem) {
    self.system = system
    network = ProxiedNetwork(profile: profile, seed: seed)
  }

  deinit {
    scratch.deallocate()
  }

  func nextNumber() -> Int {
    counter += 1
    return counter
  }

  // MARK: Time

  /// When the network must run next; at once if a connection has more bytes to move.
  var nextTime: SimulatedInstant? { pending.isEmpty ? network.nextTime : network.time }

  func advance(to time: SimulatedInstant) {
    repeat {
      network.advance(to: time)
      takeNews()
    } while network.time < time
    settle()
  }

  func settle() {
    takeNews()
    let turns = pending
    pending.removeAll(keepingCapacity: true)
    for connection in turns {
      connection.isPending = false
      pump(connection)
    }
    takeNews()
  }

  private func takeNews() {
    while network.hasNews {
      for news in network.takeNews() { take(news) }
    }
  }

  private func take(_ news: ProxiedNetwork.News) {
    switch news {
    case .connected(let link):
      guard let connection = linked[link] else { return }
      connection.link.isOpen = true
      sendEarly(connection)
      standingChanged(connection)
      pump(connection)
    case .arrived(let link, let direction, let count):
      guard let connection = linked[link] else { return }
      if direction == .up { arrivedAtServer(count, connection) } else { connection.down.bytes.release(count) }
      pump(connection)
    case .wanting(let link, _):
      if let connection = linked[link] { pump(connection) }
    case .ended(let link, let direction):
      guard let connection = linked[link] else { return }
      ended(direction, connection)
      pump(connection)
    case .failed(let link, let failure):
      guard let connection = linked.removeValue(forKey: link) else { return }
      connection.link.number = nil
      failed(connection, failure)
    case .asked(let exchange):
      guard let connection = carrying[exchange] else { return }
      giveOwnAnswer(connection)
      pump(connection)
    case .answered(let exchange):
      guard let connection = carrying.removeValue(forKey: exchange) else { return }
      connection.exchange.number = nil
      if !connection.isTunnel { answered(connection) }
    case .due(let token):
      dues.removeValue(forKey: token)?()
    }
  }

  func after(_ delay: Duration, _ work: @escaping () -> Void) {
    let token = nextNumber()
    dues[token] = work
    network.call(token, at: network.time.advanced(by: delay))
  }

  /// Refuses or closes connections whose deadline has passed; the owner calls it regularly.
  func sweep() {
    for connection in Array(clients.values) {
      guard let deadline = connection.deadline, deadline <= uptime else { continue }
      switch connection.stage {
      case .connecting: failed(connection, .connectTimedOut)
      case .asking where !connection.input.isEmpty && connection.manner == .http:
        refuse(connection, HTTPError("The request did not end in time.", status: 408))
      default: close(connection)
      }
    }
  }

  // MARK: Sockets

  func accepted(_ socket: Int32, _ entrance: ProxyConnection.Entrance) {
    let connection = ProxyConnection(number: nextNumber(), client: socket, entrance: entrance)
    clients[socket] = connection
    connection.deadline = uptime + Self.patience
    if case .forward(let target, let name, let link) = entrance {
      connection.manner = .forward
      tunnel(connection, to: target, as: link?.name ?? name, by: link)
    }
    settle()
  }

  func became(_ change: ReadinessChange, _ socket: Int32) {
    if let connection = clients[socket] {
      connection.client.isReady.formUnion(change)
      pump(connection)
    } else if let connection = servers[socket] {
      connection.server.isReady.formUnion(change)
      pump(connection)
    }
  }

  func connected(_ token: Int, _ result: Result<Int32, ConnectFailure>) {
    guard let connection = connecting.removeValue(forKey: token), !connection.isGone else {
      if case .success(let socket) = result { system.close(socket, resetting: true) }
      return
    }
    connection.attempt = .none
    switch result {
    case .success(let socket):
      connection.server.socket = socket
      connection.server.isReady = [.reading, .writing]
      servers[socket] = connection
    case .failure(.ownAddress): refuseOwn(connection)
    case .failure(let failure): connection.attempt = .failed(failure)
    }
    standingChanged(connection)
    pump(connection)
    settle()
  }

  func connectServer(_ connection: ProxyConnection) {
    if connection.server.socket >= 0 { return }
    if case .underWay = connection.attempt { return }
    let token = nextNumber()
    connection.attempt = .underWay(token)
    connecting[token] = connection
    system.connect(to: connection.target.host, port: connection.target.port, token: token)
  }

  func queue(_ connection: ProxyConnection) {
    guard !connection.isPending else { return }
    connection.isPending = true
    pending.append(connection)
  }

  // MARK: Bookkeeping

  func link(_ connection: ProxyConnection, for exchange: Int, use: StreamRequest.ConnectionUse) {
    connection.link.isLast = false
    connection.server.hasEnded = false
    (connection.up.hasEnded, connection.up.isClosed, connection.down.hasEnded) = (false, false, false)
    let link = network.open(for: exchange, host: connection.target.host, port: Int(connection.target.port), use: use)
    connection.link.number = link
    linked[link] = connection
  }

  func carry(_ exchange: Int, on connection: ProxyConnection) {
    connection.exchange.number = exchange
    carrying[exchange] = connection
  }

  func unlink(_ connection: ProxyConnection, as outcome: Transfer.Outcome = .cancelled, resetting: Bool = true) {
    if let link = connection.link.number {
      linked[link] = nil
      connection.link.number = nil
      network.close(link, as: outcome)
    }
    if let exchange = connection.exchange.number {
      carrying[exchange] = nil
      connection.exchange.number = nil
      network.end(exchange, as: outcome)
    }
    closeServer(connection, resetting: resetting)
    connection.link.isOpen = false
    connection.link.early = []
    connection.up.bytes = ByteQueue()
    // Drops the bytes still on the link; the proxy's own reply may follow the arrived ones.
    connection.down.bytes.discardUnarrived()
  }

  func closeServer(_ connection: ProxyConnection, resetting: Bool) {
    if connection.server.socket >= 0 {
      servers[connection.server.socket] = nil
      system.close(connection.server.socket, resetting: resetting)
      connection.server.socket = -1
    }
    connection.server.isReady = []
    if case .underWay(let token) = connection.attempt { connecting[token] = nil }
    connection.attempt = .none
  }

  func forgetLink(_ connection: ProxyConnection) {
    if let link = connection.link.number { linked[link] = nil }
    connection.link.number = nil
  }

  func close(_ connection: ProxyConnection, resetting: Bool = false) {
    guard !connection.isGone else { return }
    unlink(connection, resetting: !connection.up.isClosed || resetting)
    connection.stage = .gone
    clients[connection.client.socket] = nil
    system.close(connection.client.socket, resetting: resetting)
    connection.down.bytes = ByteQueue()
    connection.input = []
  }

  /// Starts a new network with another seed and ends all connections except those to the control API.
  func restart(seed: UInt64) {
    for connection in Array(clients.values) where !isControl(connection) { close(connection, resetting: true) }
    dues = [:]
    let (profile, redaction, records) = (network.profile, network.redaction, network.recordsPackets)
    let unseen = network.takeEvents()
    network = ProxiedNetwork(profile: profile, seed: seed)
    network.redaction = redaction
    network.recordsPackets = records
    if isObserved { network.observeEvents(after: unseen) }
  }
}
