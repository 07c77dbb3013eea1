import URLLoading

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
    if case .now = exchange.upload.headDelivery { return }
    respond(to: exchange)
  }

  private mutating func respond(to exchange: Exchange) {
    guard case .requesting(let stream) = exchange.stage, let engine else { return }
    let id = exchange.id
    var request = seen(of: exchange)
    let client = RequestClient(exchange.settings.sessions)
    request.client = client
    let reply = Reply(
      to: request, of: client, exchange: id, hop: exchange.hop, early: exchange.upload.early, engine: engine)
    exchange.stage = .answering(stream, reply)
    if let target = exchange.plan.answer?.redirectTarget { redirectTargets.insert(target) }
    let cached = exchange.plan.isStale ? cache.part(for: exchange.line, at: time) : nil
    if let part = cached ?? exchange.plan.answer?.part(at: request.date) {
      guard let answer = fitted(part, for: id) else { return }
      // A new body, because no other lock may be taken under the network's.
      exchange.server.given = GivenBody(answer.part.body, flipping: answer.corrupted)
      return give(answer.part, of: id)
    }
    setServerWork(.working, of: exchange)
    effects.append(.respond(reply))
  }

  /// The request as the server sees it now; an incomplete body is omitted.
  private func seen(of exchange: Exchange) -> TransportRequest {
    var request = TransportRequest(
      request: exchange.request, body: exchange.upload.isWhole ? exchange.body : .empty,
      occurrence: exchange.line.occurrence, time: time, redaction: identities.redaction)
    request.isSimulated = isSimulation
    request.followsFault = redirectTargets.contains(exchange.line.url)
    return request
  }

  // MARK: Before a request is whole

  /// Offers the server, once, a request head whose body has not arrived completely.
  private mutating func show(_ exchange: Exchange, _ total: Int64) {
    guard case .none = exchange.upload.headDelivery, total >= exchange.upload.headBytes,
      exchange.upload.size.map({ total < exchange.upload.headBytes + $0 }) ?? true
    else { return }
    exchange.upload.headDelivery = .due
    guard !exchange.plan.isReplaced else { return }
    setServerWork(.working, of: exchange)
    effects.append(.headersArrived(exchange.id, hop: exchange.hop))
  }

  /// Returns an incomplete request for a server that may answer early; `nil` if the request is complete by now.
  mutating func beginHeadDelivery(_ id: Int, hop: Int) -> TransportRequest? {
    guard isOpen(id, hop: hop), let exchange = exchanges[id], !exchange.upload.isWhole else { return nil }
    exchange.upload.headDelivery = .now
    return seen(of: exchange)
  }

  /// Stores the stub's early answer, if the stub gave one before the request was complete.
  mutating func endHeadDelivery(_ id: Int, hop: Int, _ early: EarlyAnswer?) {
    guard isOpen(id, hop: hop), let exchange = exchanges[id] else { return }
    exchange.upload.headDelivery = .done(early)
    setServerWork(.done, of: exchange)
    if exchange.upload.isWhole { respond(to: exchange) } else { answerEarly(exchange) }
  }

  private mutating func answerEarly(_ exchange: Exchange) {
    guard let early = exchange.upload.early, exchange.upload.received >= early.afterBytes else { return }
    respond(to: exchange)
  }

  /// Stops an upload at the answer's head, if a real client stops there.
  ///
  /// Measured with `URLSession` on Linux: it stops for a status from 300 on, and if the connection will be closed.
  mutating func stopUpload(of exchange: Exchange, because head: ResponseHead) {
    guard exchange.transfer.requestSent == nil, let stream = exchange.stream else { return }
    let isLast = exchange.line.version == .http1 && (head.closesConnection || exchange.endsWithConnection)
    guard head.status >= 300 || isLast else { return }
    paths.entries[exchange.path].change(at: time) { $0.stopUpload(of: stream) }
  }

  /// Reports to the stubs a request that ended before its body had arrived completely.
  mutating func noteUpload(of exchange: Exchange) {
    if case .none = exchange.upload.headDelivery { return }
    guard !exchange.upload.isWhole else { return }
    effects.appendSeen(.abandoned(seen(of: exchange), received: exchange.upload.received, of: exchange.upload.size))
  }
}
