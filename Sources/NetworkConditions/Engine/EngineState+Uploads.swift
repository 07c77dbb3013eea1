import URLLoading

/// What servers see of requests: the head, more and more of the body, and at last all of it, or not.
extension EngineState {
  mutating func uploaded(_ total: Int64, by exchange: Exchange) {
    exchange.upload(total, at: time)
    show(exchange, total)
    guard exchange.uploadMoved else { return }
    exchange.transfer.bytesSent = exchange.uploaded
    record(.uploaded(bytes: exchange.uploaded, of: exchange.uploadSize), of: exchange)
    tell(exchange.id)
    answerEarly(exchange)
  }

  mutating func requestReceived(_ exchange: Exchange) {
    exchange.transfer.requestReceived = time
    exchange.lastActivity = time
    exchange.isWhole = true
    if exchange.reply == nil, exchange.hearing != .now { respond(to: exchange) }
  }

  private mutating func respond(to exchange: Exchange) {
    let id = exchange.id
    exchange.stage = .answering
    guard let engine else { return }
    let reply = Reply(engine: engine, exchange: id, hop: exchange.redirects)
    exchange.reply = reply
    if let status = exchange.plan.status {
      var head = ResponseHead(status: status.code, headers: [HeaderField("Content-Length", "0")])
      if let wait = status.retryAfter {
        head.headers.append(HeaderField("Retry-After", "\(wait.secondsRoundedUp)"))
      }
      return give(AnswerPart(head: head, end: .success(())), of: id)
    }
    setServerWork(.working, of: exchange)
    ask(seen(of: exchange), reply, by: exchange.early?.transport)
  }

  /// A request as the server sees it now: a body that is not whole is none.
  private func seen(of exchange: Exchange) -> TransportRequest {
    TransportRequest(
      request: exchange.request, body: exchange.isWhole ? exchange.body : .empty, occurrence: exchange.line.occurrence,
      time: time, redaction: identities.redaction)
  }

  // MARK: Before a request is whole

  /// Has the server see a head behind which more is to come, once.
  private mutating func show(_ exchange: Exchange, _ total: Int64) {
    guard exchange.hearing == .none, total >= exchange.requestHeadBytes,
      exchange.uploadSize.map({ total < exchange.requestHeadBytes + $0 }) ?? true
    else { return }
    exchange.hearing = .due
    guard exchange.plan.status == nil else { return }
    setServerWork(.working, of: exchange)
    hear(exchange.id, hop: exchange.redirects)
  }

  /// What a server is to be shown of a request; nothing of one that has become whole meanwhile.
  mutating func beginHearing(_ id: Int, hop: Int) -> TransportRequest? {
    guard isOpen(id, hop: hop), let exchange = exchanges[id], !exchange.isWhole else { return nil }
    exchange.hearing = .now
    return seen(of: exchange)
  }

  /// The server has said who answers before the request is whole, if anybody does.
  mutating func endHearing(_ id: Int, hop: Int, _ early: EarlyAnswer?) {
    guard isOpen(id, hop: hop), let exchange = exchanges[id] else { return }
    exchange.hearing = .done
    exchange.early = early
    setServerWork(.done, of: exchange)
    if exchange.isWhole { respond(to: exchange) } else { answerEarly(exchange) }
  }

  private mutating func answerEarly(_ exchange: Exchange) {
    guard let early = exchange.early, exchange.reply == nil, exchange.uploaded >= early.afterBytes else { return }
    respond(to: exchange)
  }

  /// Has a client whose answer has begun send no more of its request, where it would not.
  ///
  /// As `URLSession` was measured to do on Linux: from status 300 on, and where the connection is to be closed.
  mutating func stopUpload(of exchange: Exchange, because head: ResponseHead) {
    guard exchange.transfer.requestSent == nil else { return }
    let isClosing = head["Connection"].map { ASCII.equalIgnoringCase($0, "close") } ?? false
    guard head.status >= 300 || exchange.line.version == .http1 && (isClosing || exchange.endsWithConnection) else {
      return
    }
    paths.stopUpload(of: exchange.stream, on: exchange.path, at: time)
  }

  /// Tells the server of a request that has ended and never was whole.
  mutating func noteUpload(of exchange: Exchange) {
    guard exchange.hearing != .none, !exchange.isWhole else { return }
    miss(seen(of: exchange), received: exchange.uploaded, of: exchange.uploadSize)
  }
}
