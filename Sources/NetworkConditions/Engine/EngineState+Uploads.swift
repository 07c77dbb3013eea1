import URLLoading

/// Shows servers their requests: the head, more and more of the body, and at last all of it, or not.
extension EngineState {
  mutating func uploaded(_ total: Int64, by exchange: Exchange) {
    exchange.limits.lastActivity = time
    exchange.upload.receive(total)
    show(exchange, total)
    guard exchange.upload.hasMoved else { return }
    exchange.transfer.bytesSent = exchange.upload.received
    record(.uploaded(bytes: exchange.upload.received, of: exchange.upload.size), of: exchange)
    tell(exchange.id)
    answerEarly(exchange)
  }

  mutating func requestReceived(_ exchange: Exchange) {
    exchange.transfer.requestReceived = time
    exchange.limits.lastActivity = time
    exchange.upload.isWhole = true
    if case .now = exchange.upload.hearing { return }
    respond(to: exchange)
  }

  /// Has the server answer, unless it was asked before.
  private mutating func respond(to exchange: Exchange) {
    guard case .requesting(let stream) = exchange.stage, let engine else { return }
    let id = exchange.id
    var request = seen(of: exchange)
    let client = RequestClient(exchange.settings.sessions)
    request.client = client
    let reply = Reply(
      to: request, of: client, exchange: id, hop: exchange.hop, by: exchange.upload.early?.transport, engine: engine)
    exchange.stage = .answering(stream, reply)
    if let own = exchange.plan.answer {
      guard let answer = fitted(own.part, for: id) else { return }
      // A new one, since no lock is taken under the network's.
      exchange.server.given = GivenBody(answer.part.body, flipping: answer.corrupted)
      return give(answer.part, of: id)
    }
    setServerWork(.working, of: exchange)
    effects.append(.respond(reply))
  }

  /// A request as the server sees it now: a body that is not whole is none.
  private func seen(of exchange: Exchange) -> TransportRequest {
    TransportRequest(
      request: exchange.request, body: exchange.upload.isWhole ? exchange.body : .empty,
      occurrence: exchange.line.occurrence, time: time, redaction: identities.redaction)
  }

  // MARK: Before a request is whole

  /// Has the server see a head behind which more is to come, once.
  private mutating func show(_ exchange: Exchange, _ total: Int64) {
    guard case .none = exchange.upload.hearing, total >= exchange.upload.headBytes,
      exchange.upload.size.map({ total < exchange.upload.headBytes + $0 }) ?? true
    else { return }
    exchange.upload.hearing = .due
    guard exchange.plan.answer == nil else { return }
    setServerWork(.working, of: exchange)
    effects.append(.hear(exchange.id, hop: exchange.hop))
  }

  /// Returns a request as a server is shown it before it is whole; `nil` for one that has become whole meanwhile.
  mutating func beginHearing(_ id: Int, hop: Int) -> TransportRequest? {
    guard isOpen(id, hop: hop), let exchange = exchanges[id], !exchange.upload.isWhole else { return nil }
    exchange.upload.hearing = .now
    return seen(of: exchange)
  }

  /// The server has said who answers before the request is whole, if anybody does.
  mutating func endHearing(_ id: Int, hop: Int, _ early: EarlyAnswer?) {
    guard isOpen(id, hop: hop), let exchange = exchanges[id] else { return }
    exchange.upload.hearing = .done(early)
    setServerWork(.done, of: exchange)
    if exchange.upload.isWhole { respond(to: exchange) } else { answerEarly(exchange) }
  }

  private mutating func answerEarly(_ exchange: Exchange) {
    guard let early = exchange.upload.early, exchange.upload.received >= early.afterBytes else { return }
    respond(to: exchange)
  }

  /// Has a client whose answer has begun send no more of its request, where it would not.
  ///
  /// As `URLSession` was measured to do on Linux: from status 300 on, and where the connection is to be closed.
  mutating func stopUpload(of exchange: Exchange, because head: ResponseHead) {
    guard exchange.transfer.requestSent == nil, let stream = exchange.stream else { return }
    let isLast = exchange.line.version == .http1 && (head.closesConnection || exchange.endsWithConnection)
    guard head.status >= 300 || isLast else { return }
    paths.stopUpload(of: stream, on: exchange.path, at: time)
  }

  /// Tells the server of a request that has ended and never was whole.
  mutating func noteUpload(of exchange: Exchange) {
    if case .none = exchange.upload.hearing { return }
    guard !exchange.upload.isWhole else { return }
    effects.appendSeen(.miss(seen(of: exchange), received: exchange.upload.received, of: exchange.upload.size))
  }
}
