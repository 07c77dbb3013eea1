import Internals
import LinkSimulator
import NetworkConditions
import URLLoading

extension ProxyCore {
  func listen(_ connection: ProxyConnection) {
    if connection.stage == .socksRequest { return listenToSOCKS(connection) }
    guard let first = connection.input.first else { return }
    // A kept connection has no time limit while it is idle.
    if connection.deadline == nil { connection.deadline = uptime + Self.patience }
    if first == SOCKS5.version, !isControl(connection), connection.manner == .http, connection.exchangeCount == 0 {
      connection.manner = .socks
      return listenToSOCKS(connection)
    }
    if first == 4, !isControl(connection), connection.exchangeCount == 0 {
      // SOCKS4 is refused with its own code.
      tell(connection, [0, 0x5B, 0, 0, 0, 0, 0, 0])
      return leave(connection)
    }
    do throws(HTTPError) {
      guard let head = try HTTPHead(connection.input[...]) else { return }
      if isControl(connection) { return try listenToControl(connection, head) }
      let request = try ProxyRequest(head)
      connection.input.removeFirst(head.byteCount)
      begin(request, connection)
    } catch {
      refuse(connection, error)
    }
  }

  private func listenToSOCKS(_ connection: ProxyConnection) {
    if connection.stage == .asking {
      switch SOCKS5.greeting(connection.input[...]) {
      case .more: return
      case .refused(let reply):
        tell(connection, reply)
        return leave(connection)
      case .value(let reply, let count):
        connection.input.removeFirst(count)
        tell(connection, reply)
        connection.stage = .socksRequest
      }
    }
    switch SOCKS5.request(connection.input[...]) {
    case .more: return
    case .refused(let reply):
      tell(connection, reply)
      leave(connection)
    case .value(let target, let count):
      connection.input.removeFirst(count)
      tunnel(connection, to: target)
    }
  }

  // MARK: Requests

  private func begin(_ request: ProxyRequest, _ connection: ProxyConnection) {
    switch request.kind {
    case .connect:
      connection.manner = .connect
      unlink(connection)
      connection.beginExchange()
      tunnel(connection, to: request.target)
    case .direct:
      refuse(
        connection,
        HTTPError(
          "This is a proxy with the profile \(network.profile.name.quoted): send it whole URLs, or CONNECT."))
    case .fetch(let url): fetch(url, request, connection)
    }
  }

  private func fetch(_ text: String, _ request: ProxyRequest, _ connection: ProxyConnection) {
    guard let url = URL(written: text) else { return refuse(connection, HTTPError("The target is not a URL.")) }
    var asked = URLRequest(url: url)
    asked.httpMethod = request.method
    let body: Int64? =
      switch request.framing {
      case .none: 0
      case .length(let count): count
      case .chunked, .untilClose: nil
      }
    let start = network.begin(asked, head: Int64(request.forwarded.count), body: body)
    connection.manner = .http
    connection.beginExchange()
    carry(start.number, on: connection)
    connection.exchange.method = request.method
    connection.exchange.ownAnswer = start.answer
    connection.exchange.requestBody = HTTPBodyReader(request.framing)
    (connection.exchange.isOld, connection.exchange.upgrades) = (request.isOld, request.upgrades)
    connection.exchange.closes = request.closes
    if start.answer != nil, request.expectsContinue {
      // No server will ask for the body, so the proxy does not wait for it.
      (connection.exchange.requestBody, connection.exchange.closes) = (HTTPBodyReader(.none), true)
    }
    connection.stage = .carrying
    let canReuse =
      connection.link.number != nil && connection.target == request.target && connection.link.path == start.path
      && !start.forcesConnection && !connection.down.hasEnded
    let turn = connection.exchangeCount
    connection.exchange.isPutOff = true
    let depart = { [self] in
      guard !connection.isGone, connection.exchangeCount == turn else { return }
      connection.exchange.isPutOff = false
      if canReuse, let link = connection.link.number {
        network.reuse(link, for: start.number)
      } else {
        replaceServer(connection, request.target, start)
      }
      // If the server closed the reused connection, the client must learn that over the link, so no new one is made.
      if connection.exchange.ownAnswer == nil, !start.forcesConnection, !connection.server.hasEnded {
        connectServer(connection)
      }
      request.forwarded.withUnsafeBytes { send($0, connection) }
      let rest = connection.input
      connection.input = []
      rest.withUnsafeBytes { sendBody($0, connection) }
      if connection.client.hasEnded { clientEnded(connection) }
      queue(connection)
    }
    if start.delay > .zero { after(start.delay, depart) } else { depart() }
  }

  private func replaceServer(
    _ connection: ProxyConnection, _ target: ProxyRequest.Target, _ start: ProxiedExchange.Start
  ) {
    let exchange = connection.exchange.number
    connection.exchange.number = nil
    unlink(connection)
    if let exchange { carry(exchange, on: connection) }
    connection.target = target
    connection.link.path = start.path
    link(connection, for: start.number, use: .own)
  }

  /// Passes on the bytes of the request's body; further bytes belong to the next request.
  func sendBody(_ bytes: UnsafeRawBufferPointer, _ connection: ProxyConnection) {
    let count: Int
    do throws(HTTPError) {
      var found: Int?
      count = try connection.exchange.requestBody.take(bytes, found: &found)
    } catch {
      return connection.exchange.hasAnswered ? close(connection, resetting: true) : refuse(connection, error)
    }
    send(UnsafeRawBufferPointer(rebasing: bytes[..<count]), connection)
    connection.input.append(contentsOf: bytes[count...])
    guard connection.exchange.requestBody.isDone else { return }
    connection.exchange.hasSpoken = true
    noteRequestEnd(connection)
    if connection.exchange.isAnswered { listenAgain(connection) }
  }

  // MARK: Answers

  func hearAnswer(_ connection: ProxyConnection, _ bytes: UnsafeMutableRawBufferPointer) {
    guard connection.exchange.answerBody == nil else { return hearAnswerBody(connection, bytes) }
    connection.exchange.answerInput.append(contentsOf: bytes)
    do throws(HTTPError) {
      while connection.exchange.answerBody == nil,
        let head = try HTTPHead(connection.exchange.answerInput[...], ofAnswer: true)
      {
        guard let exchange = connection.exchange.number else {
          throw HTTPError("The server answered without a request.")
        }
        let answer = try ProxyAnswer(
          head, connection.exchange.answerInput, to: connection.exchange.method, closing: connection.exchange.closes,
          upgrades: connection.exchange.upgrades)
        connection.exchange.answerInput.removeFirst(head.byteCount)
        guard answer.isInterim else {
          begin(answer, of: exchange, connection)
          // The head goes out together with the first bytes of the body, or it would take a segment of its own.
          var said = answer.forwarded + connection.exchange.answerInput
          connection.exchange.answerInput = []
          said.withUnsafeMutableBytes { hearAnswerBody(connection, $0, head: answer.forwarded.count) }
          return
        }
        if !connection.exchange.isOld { answer.forwarded.withUnsafeBytes { self.answer($0, connection) } }
      }
    } catch {
      // An answer that cannot be parsed ends the connection; the client gets the 502 after one way over the link.
      connection.exchange.misunderstanding = HTTPError(
        "The server's response is invalid. \(error.sentence)", status: 502)
      if let link = connection.link.number { network.abort(link) }
    }
  }

  private func begin(_ answer: ProxyAnswer, of exchange: Int, _ connection: ProxyConnection) {
    connection.exchange.hasAnswered = true
    connection.exchange.closes = answer.closes
    var length: Int64? = answer.framing == .none ? 0 : nil
    if case .length(let count) = answer.framing { length = count }
    (connection.exchange.flipped, connection.exchange.idleLimit) = network.answerBegins(
      exchange, status: answer.status, head: Int64(answer.forwarded.count), body: length,
      endsWithConnection: answer.framing == .untilClose)
    connection.exchange.answerBody = HTTPBodyReader(answer.framing)
    if answer.status == 101 { becomeTunnel(connection) }
  }

  private func becomeTunnel(_ connection: ProxyConnection) {
    connection.isTunnel = true
    let rest = connection.input
    connection.input = []
    rest.withUnsafeBytes { send($0, connection) }
  }

  /// - Parameter head: how many of the bytes are the answer's head.
  private func hearAnswerBody(_ connection: ProxyConnection, _ bytes: UnsafeMutableRawBufferPointer, head: Int = 0) {
    guard var body = connection.exchange.answerBody else { return }
    var found: Int?
    let count: Int
    do throws(HTTPError) {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[head...])
      count = try head + body.take(rest, wanted: connection.exchange.flipped, found: &found)
    } catch {
      if let link = connection.link.number { network.abort(link) }
      return
    }
    connection.exchange.answerBody = body
    if let found { bytes[head + found] ^= 0xFF }
    answer(UnsafeRawBufferPointer(rebasing: bytes[..<count]), connection)
    if body.isDone, let exchange = connection.exchange.number {
      network.answerEnds(exchange)
      // Bytes after the end of an answer are dropped, and the connection cannot be reused.
      if count < bytes.count || connection.exchange.closes { connection.server.hasEnded = true }
      closeAfterAnswer(connection)
    }
  }

  private func closeAfterAnswer(_ connection: ProxyConnection) {
    guard connection.exchange.closes, connection.exchange.requestBody.isDone, !connection.isTunnel,
      !connection.down.hasEnded
    else { return }
    connection.server.hasEnded = true
    serverEnded(connection)
  }

  func answered(_ connection: ProxyConnection) {
    connection.exchange.isAnswered = true
    closeWhenIdle(connection)
    if connection.exchange.requestBody.isDone { listenAgain(connection) } else { pump(connection) }
  }

  private func listenAgain(_ connection: ProxyConnection) {
    guard connection.stage == .carrying, !connection.isTunnel else { return }
    // A client that has ended its stream makes no further request.
    if connection.client.hasEnded, connection.input.isEmpty { connection.exchange.closes = true }
    guard !connection.exchange.closes else { return closeAfterAnswer(connection) }
    connection.stage = .asking
    connection.exchange.isAnswered = false
    if connection.server.hasEnded, connection.link.number != nil, !connection.down.hasEnded,
      connection.server.socket >= 0
    {
      serverEnded(connection)
    }
    if connection.input.isEmpty { connection.deadline = nil } else { listen(connection) }
    queue(connection)
  }

  /// Closes the connection like a server would, if a fault sets an idle limit and no request arrives within it.
  private func closeWhenIdle(_ connection: ProxyConnection) {
    guard let limit = connection.exchange.idleLimit, let link = connection.link.number else { return }
    let heard = connection.receivedByServer
    after(limit) { [self] in
      guard connection.link.number == link, connection.receivedByServer == heard, !connection.server.hasEnded else {
        return
      }
      closeServer(connection, resetting: false)
      connection.server.hasEnded = true
      if network.write(0, .down, on: link, finishing: true) { ended(.down, connection) }
      pump(connection)
    }
  }

  func giveOwnAnswer(_ connection: ProxyConnection) {
    guard let own = connection.exchange.ownAnswer, let exchange = connection.exchange.number,
      !connection.exchange.hasAnswered
    else { return }
    connection.exchange.hasAnswered = true
    // The length is that of the body that a GET would get.
    let body = HTTPBodyFraming.hasBody(own.code, to: connection.exchange.method) ? Array(own.body) : []
    let lines = own.fields(at: Date()).map { "\($0.name): \($0.value)\r\n" }.joined()
    let head =
      "HTTP/1.1 \(own.code) \(ReasonPhrase.of(own.code) ?? "Status")\r\nContent-Length: \(own.body.count)\r\n\(lines)"
      + (connection.exchange.closes ? "Connection: close\r\n\r\n" : "\r\n")
    network.answerBegins(
      exchange, status: own.code, head: Int64(head.utf8.count), body: Int64(body.count), endsWithConnection: false)
    (Array(head.utf8) + body).withUnsafeBytes { answer($0, connection) }
    network.answerEnds(exchange)
    closeAfterAnswer(connection)
  }
}
