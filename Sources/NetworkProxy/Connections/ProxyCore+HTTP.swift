import LinkSimulator
import NetworkConditions
import URLLoading

extension ProxyCore {
  func listen(_ connection: ProxyConnection) {
    if connection.stage == .socksRequest { return listenToSOCKS(connection) }
    guard let first = connection.input.first else { return }
    if first == SOCKS5.version, !isControl(connection), connection.manner == .http, connection.turn == 0 {
      connection.manner = .socks
      return listenToSOCKS(connection)
    }
    if first == 4, !isControl(connection), connection.turn == 0 {
      // SOCKS4: refused with its own code.
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
    connection.method = request.method
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
          "This is a proxy, of the profile \(network.profile.name.quoted): ask it for whole URLs, or with CONNECT."))
    case .fetch(let url): fetch(url, request, connection)
    }
  }

  private func fetch(_ text: String, _ request: ProxyRequest, _ connection: ProxyConnection) {
    guard let url = URL(written: text) else { return refuse(connection, HTTPError("The target is no URL.")) }
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
    connection.ownAnswer = start.answer
    connection.requestBody = HTTPBodyReader(request.framing)
    (connection.isOld, connection.upgrades) = (request.isOld, request.upgrades)
    connection.closes = request.closes
    connection.stage = .carrying
    let canReuse =
      connection.link != nil && connection.target == request.target && connection.path == start.path
      && !start.forcesConnection && !connection.downEnded
    let turn = connection.turn
    let depart = { [self] in
      guard !connection.isGone, connection.turn == turn else { return }
      if canReuse, let link = connection.link {
        network.reuse(link, for: start.number)
      } else {
        replaceServer(connection, request.target, start)
      }
      // A server that has closed while the request was not yet made is not to be reached: the client has yet to hear of it.
      if connection.ownAnswer == nil, !start.forcesConnection, !connection.serverEnded { connectServer(connection) }
      request.forwarded.withUnsafeBytes { send($0, connection) }
      let rest = connection.input
      connection.input = []
      rest.withUnsafeBytes { sendBody($0, connection) }
      if connection.clientEnded { clientEnded(connection) }
      queue(connection)
    }
    if start.delay > .zero { after(start.delay, depart) } else { depart() }
  }

  private func replaceServer(
    _ connection: ProxyConnection, _ target: ProxyRequest.Target, _ start: ProxiedExchange.Start
  ) {
    let exchange = connection.exchange
    connection.exchange = nil
    unlink(connection)
    if let exchange { carry(exchange, on: connection) }
    connection.serverEnded = false
    connection.upEnded = false
    connection.upClosed = false
    connection.downEnded = false
    connection.target = target
    connection.path = start.path
    link(connection, for: start.number, use: .own)
  }

  /// Passes on the bytes that belong to the request's body; the rest belongs to the next request.
  func sendBody(_ bytes: UnsafeRawBufferPointer, _ connection: ProxyConnection) {
    let count: Int
    do throws(HTTPError) {
      var found: Int?
      count = try connection.requestBody.take(bytes, found: &found)
    } catch {
      return connection.hasAnswered ? close(connection, resetting: true) : refuse(connection, error)
    }
    send(UnsafeRawBufferPointer(rebasing: bytes[..<count]), connection)
    connection.input.append(contentsOf: bytes[count...])
    guard connection.requestBody.isDone else { return }
    connection.hasSpoken = true
    noteRequestEnd(connection)
    if connection.isAnswered { listenAgain(connection) }
  }

  // MARK: Answers

  func hearAnswer(_ connection: ProxyConnection, _ bytes: UnsafeMutableRawBufferPointer) {
    guard connection.answerBody == nil else { return hearAnswerBody(connection, bytes) }
    connection.answerInput.append(contentsOf: bytes)
    do throws(HTTPError) {
      while connection.answerBody == nil, let head = try HTTPHead(connection.answerInput[...], ofAnswer: true) {
        guard let exchange = connection.exchange else { throw HTTPError("Nobody has asked.") }
        let answer = try ProxyAnswer(
          head, connection.answerInput, to: connection.method, closing: connection.closes,
          upgrades: connection.upgrades)
        connection.answerInput.removeFirst(head.byteCount)
        guard answer.isInterim else {
          begin(answer, of: exchange, connection)
          // The head leaves together with the part of the body that came with it: alone, it would take a segment of
          // its own.
          var said = answer.forwarded + connection.answerInput
          connection.answerInput = []
          said.withUnsafeMutableBytes { hearAnswerBody(connection, $0, head: answer.forwarded.count) }
          return
        }
        if !connection.isOld { answer.forwarded.withUnsafeBytes { self.answer($0, connection) } }
      }
    } catch {
      // An answer that nobody can follow ends with its connection: the client is told once that has come over the link.
      connection.misunderstanding = HTTPError("The server's answer is not understood. \(error.sentence)", status: 502)
      if let link = connection.link { network.abort(link) }
    }
  }

  private func begin(_ answer: ProxyAnswer, of exchange: Int, _ connection: ProxyConnection) {
    connection.hasAnswered = true
    connection.closes = answer.closes
    var length: Int64? = answer.framing == .none ? 0 : nil
    if case .length(let count) = answer.framing { length = count }
    (connection.flipped, connection.idleLimit) = network.answerBegins(
      exchange, status: answer.status, head: Int64(answer.forwarded.count), body: length,
      endsWithConnection: answer.framing == .untilClose)
    connection.answerBody = HTTPBodyReader(answer.framing)
    if answer.status == 101 { becomeTunnel(connection) }
  }

  private func becomeTunnel(_ connection: ProxyConnection) {
    connection.isTunnel = true
    let rest = connection.input
    connection.input = []
    rest.withUnsafeBytes { send($0, connection) }
  }

  /// - Parameter head: how many bytes of the answer's head stand before.
  private func hearAnswerBody(_ connection: ProxyConnection, _ bytes: UnsafeMutableRawBufferPointer, head: Int = 0) {
    guard var body = connection.answerBody else { return }
    var found: Int?
    let count: Int
    do throws(HTTPError) {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[head...])
      count = try head + body.take(rest, wanted: connection.flipped, found: &found)
    } catch {
      if let link = connection.link { network.abort(link) }
      return
    }
    connection.answerBody = body
    if let found { bytes[head + found] ^= 0xFF }
    answer(UnsafeRawBufferPointer(rebasing: bytes[..<count]), connection)
    if body.isDone, let exchange = connection.exchange {
      network.answerEnds(exchange)
      // The bytes of a server beyond its answer are dropped, and the connection cannot be used any more.
      if count < bytes.count || connection.closes { connection.serverEnded = true }
      closeAfterAnswer(connection)
    }
  }

  private func closeAfterAnswer(_ connection: ProxyConnection) {
    guard connection.closes, connection.requestBody.isDone, !connection.isTunnel, !connection.downEnded else { return }
    connection.serverEnded = true
    serverEnded(connection)
  }

  func answered(_ connection: ProxyConnection) {
    connection.isAnswered = true
    closeWhenIdle(connection)
    if connection.requestBody.isDone { listenAgain(connection) } else { pump(connection) }
  }

  private func listenAgain(_ connection: ProxyConnection) {
    guard connection.stage == .carrying, !connection.isTunnel else { return }
    guard !connection.closes else { return closeAfterAnswer(connection) }
    connection.stage = .asking
    connection.isAnswered = false
    if connection.serverEnded, connection.link != nil, !connection.downEnded, connection.server >= 0 {
      serverEnded(connection)
    }
    if connection.input.isEmpty { connection.deadline = nil } else { listen(connection) }
    queue(connection)
  }

  /// The server closes a connection that no request has reached for too long, if a fault says so; one may be on its way.
  private func closeWhenIdle(_ connection: ProxyConnection) {
    guard let limit = connection.idleLimit, let link = connection.link else { return }
    let heard = connection.heardByServer
    after(limit) { [self] in
      guard connection.link == link, connection.heardByServer == heard, !connection.serverEnded else { return }
      closeServer(connection, resetting: false)
      connection.serverEnded = true
      if network.write(0, .down, on: link, finishing: true) { ended(.down, connection) }
      pump(connection)
    }
  }

  func giveOwnAnswer(_ connection: ProxyConnection) {
    guard let own = connection.ownAnswer, let exchange = connection.exchange, !connection.hasAnswered else { return }
    connection.hasAnswered = true
    let head =
      "HTTP/1.1 \(own.code) \(HTTPStatus.phrase(own.code))\r\nContent-Length: \(own.body.count)\r\n\(own.lines)"
      + (connection.closes ? "Connection: close\r\n\r\n" : "\r\n")
    network.answerBegins(
      exchange, status: own.code, head: Int64(head.utf8.count), body: Int64(own.body.count), endsWithConnection: false)
    (Array(head.utf8) + own.body).withUnsafeBytes { answer($0, connection) }
    network.answerEnds(exchange)
    closeAfterAnswer(connection)
  }
}

extension OwnAnswer {
  var lines: String { fields.map { "\($0.name): \($0.value)\r\n" }.joined() }
}
