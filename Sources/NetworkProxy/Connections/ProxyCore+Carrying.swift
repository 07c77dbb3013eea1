import Internals
import LinkSimulator
import NetworkConditions
import URLLoading

/// Moves bytes, and the ends of streams, over connections that are made or being made.
extension ProxyCore {
  // MARK: Tunnels

  func tunnel(
    _ connection: ProxyConnection, to target: ProxyRequest.Target, as name: String? = nil, by link: ToxicProxy? = nil
  ) {
    connection.target = target
    connection.isTunnel = true
    connection.stage = .connecting
    connection.deadline = uptime + Self.connectPatience
    guard let url = URL(string: target.url) ?? URL(string: "tcp://\(target.port)/") else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "CONNECT"
    let start = network.begin(
      request, as: name, path: link.map { path(of: connection, on: $0) }, isOpaque: connection.manner != .connect)
    carry(start.number, on: connection)
    connection.exchange.failsHandshake = start.failsHandshake
    if start.answer != nil {
      // The answer to a CONNECT travels over the link, as that to any request.
      (connection.manner, connection.isTunnel, connection.stage) = (.http, false, .carrying)
      connection.exchange.ownAnswer = start.answer
      (connection.exchange.closes, connection.exchange.hasSpoken, connection.deadline) = (true, true, nil)
    }
    let turn = connection.exchangeCount
    let depart = { [self] in
      guard !connection.isGone, connection.exchangeCount == turn else { return }
      self.link(connection, for: start.number, use: link == nil ? .own : .standing)
      if !start.forcesConnection, start.answer == nil { connectServer(connection) }
      if connection.manner == .forward { beginForward(connection) }
      settle()
    }
    if start.delay > .zero { after(start.delay, depart) } else { depart() }
  }

  /// Passes on the bytes, and the end, that a forward's client sent while a fault delayed the start.
  private func beginForward(_ connection: ProxyConnection) {
    connection.stage = .carrying
    let said = connection.input
    connection.input = []
    if !said.isEmpty { said.withUnsafeBytes { sendTunnel($0, connection) } }
    if connection.client.hasEnded { endRequests(connection) }
  }

  /// Whether an address is the proxy's own: connecting to it would make the proxy call itself without end.
  func isOwn(_ address: SocketAddress) -> Bool {
    ownAddresses.values.contains { own in
      guard own.port == address.port else { return false }
      if own.isUnspecified { return address.isUnspecified || Sockets.isOfThisMachine(address) }
      // Connecting to the unspecified address reaches the loopback address.
      return own.bytes == address.bytes || own.isLoopback && address.isUnspecified
    }
  }

  func refuseOwn(_ connection: ProxyConnection) {
    guard connection.manner == .http else { return failed(connection, .refused) }
    unlink(connection, as: .failed(StreamFailure.refused.code))
    refuse(connection, HTTPError("The URL points to this proxy itself.", status: 508))
  }

  func standingChanged(_ connection: ProxyConnection) {
    guard connection.link.isOpen, !connection.isGone, connection.stage != .leaving else { return }
    if case .failed(let failure) = connection.attempt { return serverFailed(connection, failure) }
    if connection.manner == .forward, connection.server.socket >= 0 { connection.deadline = nil }
    guard connection.stage == .connecting, connection.server.socket >= 0 else { return }
    connection.stage = .carrying
    connection.deadline = nil
    switch connection.manner {
    case .connect: tell(connection, Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
    case .socks: tell(connection, SOCKS5.Reply.succeeded.bytes)
    case .http, .forward: break
    }
    let said = connection.input
    connection.input = []
    said.withUnsafeBytes { sendTunnel($0, connection) }
    if connection.client.hasEnded { endRequests(connection) }
  }

  private func serverFailed(_ connection: ProxyConnection, _ reason: ConnectFailure) {
    let failure: StreamFailure =
      switch reason {
      case .unknownName: .resolutionFailed
      case .timedOut: .connectTimedOut
      case .refused, .unreachable, .ownAddress: .refused
      }
    unlink(connection, as: .failed(failure.code))
    failed(connection, failure)
  }

  /// Sends the bytes that came before the link was established, piece by piece.
  func sendEarly(_ connection: ProxyConnection) {
    let pieces = connection.link.early
    connection.link.early = []
    for piece in pieces { piece.withUnsafeBytes { send($0, connection) } }
    noteRequestEnd(connection)
    if connection.link.isLast { endRequests(connection) }
  }

  func noteRequestEnd(_ connection: ProxyConnection) {
    guard connection.link.isOpen, connection.exchange.hasSpoken, let exchange = connection.exchange.number else {
      return
    }
    network.requestEnds(exchange)
  }

  private func sendTunnel(_ bytes: UnsafeRawBufferPointer, _ connection: ProxyConnection) {
    send(bytes, connection)
    if !bytes.isEmpty { connection.exchange.hasSpoken = true }
    noteRequestEnd(connection)
  }

  // MARK: Bytes and ends from both sides

  func hearClient(_ connection: ProxyConnection, _ bytes: UnsafeMutableRawBufferPointer) {
    let heard = UnsafeRawBufferPointer(bytes)
    switch connection.stage {
    case .carrying where connection.isTunnel: sendTunnel(heard, connection)
    case .carrying where !connection.exchange.isPutOff && !connection.exchange.requestBody.isDone:
      sendBody(heard, connection)
    case .carrying, .connecting: connection.input.append(contentsOf: heard)
    case .asking, .socksRequest:
      connection.input.append(contentsOf: heard)
      listen(connection)
    case .leaving, .gone: break
    }
  }

  func clientEnded(_ connection: ProxyConnection) {
    switch connection.stage {
    case .asking, .socksRequest: close(connection)
    case .connecting: if connection.manner != .forward { close(connection, resetting: true) }
    case .carrying where connection.exchange.isPutOff: close(connection)
    case .carrying where connection.isTunnel || connection.input.isEmpty || connection.exchange.closes:
      endRequests(connection)
    // Requests that wait for their turn come before the end.
    case .carrying: break
    case .leaving, .gone: break
    }
  }

  private func endRequests(_ connection: ProxyConnection) {
    guard let link = connection.link.number else { return close(connection) }
    guard connection.link.isOpen else {
      connection.link.isLast = true
      return
    }
    if network.write(0, .up, on: link, finishing: true) { ended(.up, connection) }
  }

  func hearServer(_ connection: ProxyConnection, _ bytes: UnsafeMutableRawBufferPointer) {
    guard connection.isTunnel, connection.exchange.answerBody == nil else { return hearAnswer(connection, bytes) }
    if !connection.exchange.hasAnswered, let exchange = connection.exchange.number {
      connection.exchange.hasAnswered = true
      connection.exchange.flipped =
        network.answerBegins(exchange, status: nil, head: 0, body: nil, endsWithConnection: true).flipped
    }
    if let flipped = connection.exchange.flipped, flipped >= connection.exchange.answerCount,
      flipped < connection.exchange.answerCount + Int64(bytes.count)
    {
      bytes[Int(flipped - connection.exchange.answerCount)] ^= 0xFF
    }
    connection.exchange.answerCount += Int64(bytes.count)
    answer(UnsafeRawBufferPointer(bytes), connection)
  }

  func serverEnded(_ connection: ProxyConnection) {
    guard let link = connection.link.number else { return }
    // An incomplete head is passed on as it came.
    if !connection.exchange.answerInput.isEmpty {
      connection.exchange.answerInput.withUnsafeBytes { answer($0, connection) }
      connection.exchange.answerInput = []
    }
    if network.write(0, .down, on: link, finishing: true) { ended(.down, connection) }
  }

  func arrivedAtServer(_ count: Int64, _ connection: ProxyConnection) {
    connection.receivedByServer += count
    connection.up.bytes.release(count)
    if connection.exchange.ownAnswer != nil { connection.up.bytes.discardArrived() }
    guard connection.exchange.failsHandshake, let link = connection.link.number else { return }
    // An alert of TLS 1.2's form, which all versions know: fatal, handshake_failure (RFC 8446, section 6).
    connection.exchange.failsHandshake = false
    connection.up.bytes.discardArrived()
    let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 40]
    alert.withUnsafeBytes { answer($0, connection) }
    connection.server.hasEnded = true
    if network.write(0, .down, on: link, finishing: true) { ended(.down, connection) }
  }

  func ended(_ direction: Direction, _ connection: ProxyConnection) {
    if let delay = connection.toxics.effects[direction]?.closeDelay, delay > .zero {
      return after(delay) { [self] in
        guard !connection.isGone else { return }
        tellEnd(direction, connection)
        pump(connection)
      }
    }
    tellEnd(direction, connection)
  }

  private func tellEnd(_ direction: Direction, _ connection: ProxyConnection) {
    if direction == .down, !connection.isTunnel, let exchange = connection.exchange.number, network.isUnderWay(exchange)
    {
      // The server has closed its stream before or within its answer.
      return failed(connection, .truncated)
    }
    if direction == .up { connection.up.hasEnded = true } else { connection.down.hasEnded = true }
    if connection.up.hasEnded, connection.down.hasEnded { forgetLink(connection) }
  }

  /// Ends a connection whose link or server socket has failed, and tells the client.
  func failed(_ connection: ProxyConnection, _ failure: StreamFailure) {
    let isNew = connection.stage == .connecting || connection.manner == .http && !connection.link.isOpen
    let hadAnswer = connection.exchange.hasAnswered
    unlink(connection, as: .failed(failure.code))
    switch failure {
    case .truncated:
      connection.down.hasEnded = true
      connection.up.isClosed = true
      connection.stage = .leaving
      connection.deadline = uptime + Self.closeDelay
      pump(connection)
    case .resolutionFailed where connection.toxicProxy != nil, .refused where connection.toxicProxy != nil,
      .connectTimedOut where connection.toxicProxy != nil:
      // As in toxiproxy: a reset could overtake the message that the connection was made.
      close(connection)
    case _ where connection.manner == .forward: close(connection, resetting: true)
    case _ where connection.exchange.misunderstanding != nil && !hadAnswer:
      refuse(connection, connection.exchange.misunderstanding ?? HTTPError(failure.sentence))
    case _ where isNew: refuse(connection, failure)
    case .resolutionFailed, .refused, .connectTimedOut, .resolutionTimedOut:
      if hadAnswer || connection.isTunnel { close(connection, resetting: true) } else { refuse(connection, failure) }
    default: close(connection, resetting: true)
    }
  }

  private func refuse(_ connection: ProxyConnection, _ failure: StreamFailure) {
    if connection.manner == .socks {
      tell(connection, failure.reply.bytes)
      return leave(connection)
    }
    let words = "The network of the profile \(network.profile.name.quoted): \(failure.sentence)"
    refuse(connection, HTTPError(words, status: failure.status), proxyStatus: failure.proxyError)
  }

  func refuse(_ connection: ProxyConnection, _ error: HTTPError, proxyStatus: String? = nil) {
    unlink(connection)
    var fields = "Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(error.sentence.utf8.count + 1)\r\n"
    if let proxyStatus { fields += "Proxy-Status: network-conditions; error=\(proxyStatus)\r\n" }
    let phrase = ReasonPhrase.of(error.status) ?? "Status"
    let head = "HTTP/1.1 \(error.status) \(phrase)\r\n\(fields)Connection: close\r\n\r\n"
    tell(connection, Array((head + error.sentence + "\n").utf8))
    leave(connection)
  }

  func leave(_ connection: ProxyConnection) {
    connection.stage = .leaving
    connection.input = []
    connection.deadline = uptime + Self.closeDelay
    pump(connection)
  }
}
