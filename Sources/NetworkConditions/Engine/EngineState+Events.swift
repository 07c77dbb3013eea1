import URLLoading

extension EngineState {
  mutating func handle(_ event: PathEvent, on path: Int) {
    guard let stream = event.stream else {
      if case .phaseEntered(let index) = event.kind { enterPhase(index, of: path) }
      return
    }
    // Drop late events: of an ended exchange, or of an earlier hop.
    guard let exchange = exchanges[stream.owner], exchange.stream == stream, exchange.path == path else { return }
    switch event.kind {
    case .resolved(let cached):
      exchange.transfer.resolved = event.time
      record(.resolved(cached: cached), of: exchange)
    case .connected(let reused):
      exchange.transfer.connected = event.time
      exchange.transfer.reusedConnection = reused
      record(.connected(reused: reused), of: exchange)
    case .fellBack:
      (exchange.transfer.version, exchange.transfer.fellBack) = (.http2, event.time)
      record(.fellBack, of: exchange)
    case .secured:
      exchange.transfer.secured = event.time
      record(.secured, of: exchange)
    case .requestSent:
      exchange.transfer.requestSent = event.time
      record(.requestSent, of: exchange)
    case .uploaded(let total): uploaded(total, by: exchange)
    case .requestReceived: requestReceived(exchange)
    case .received(let count): received(count, by: exchange)
    case .responseReceived: responseReceived(exchange)
    case .packetLost(let direction, let reason): record(.packetLost(direction, reason), of: exchange)
    case .retransmitted(let direction, let reason): record(.retransmitted(direction, reason), of: exchange)
    case .stalled:
      exchange.transfer.stalls += 1
      record(.stalled, of: exchange)
    case .phaseEntered, .wanting: break
    case .failed(let failure): failed(failure, exchange)
    }
  }

  private mutating func received(_ count: Int64, by exchange: Exchange) {
    guard var answer = exchange.answer else { return }
    exchange.limits.lastActivity = time
    if answer.arrived == 0 { exchange.transfer.firstByte = time }
    let before = answer.arrivedBody
    answer.arrived += count
    if answer.sight == .underWay, answer.arrived >= answer.headBytes {
      answer.sight = headReceived(answer, of: exchange)
      record(.response(status: answer.head.status), of: exchange)
    }
    let arrived = answer.arrivedBody
    let skipped = answer.sight == .hidden ? answer.takeArrived() : 0
    exchange.answer = answer
    if arrived > before {
      exchange.transfer.bytesReceived = arrived
      exchange.noteCoding()
      exchange.transfer.rate.add(arrived - before, at: time)
      record(.received(bytes: arrived, of: answer.expected), of: exchange)
    }
    if answer.sight == .hidden {
      if skipped > 0 { effects.append(.skip(exchange.server.given, skipped)) }
      makeRoom(for: exchange)
    }
    tell(exchange.id)
  }

  /// Records an answer's head when it has arrived, and returns whether the client may see it.
  private mutating func headReceived(_ answer: Exchange.Answer, of exchange: Exchange) -> Exchange.Answer.Sight {
    let head = answer.head
    exchange.transfer.status = head.status
    exchange.transfer.bytesExpected = answer.expected
    if paths.configuration(of: exchange.path).http3Announcement == .answers {
      alternatives.learn(from: head, of: exchange.line.server, at: time)
    }
    stopUpload(of: exchange, because: head)
    switch RedirectPolicy.decision(for: head, to: exchange.request, followed: exchange.redirects) {
    case .none: return .due
    case .follow(let next, _):
      exchange.transfer.redirectURL = next.url.map { identities.redaction.url($0.absoluteString) }
      return .hidden
    case .fail:
      exchange.transfer.redirectURL = head["Location"].map(identities.redaction.url)
      return .hidden
    }
  }

  private mutating func responseReceived(_ exchange: Exchange) {
    let id = exchange.id
    if let error = exchange.server.error { return end(id, with: .failed(error.naming(exchange.request.url))) }
    guard let head = exchange.answer?.head else {
      return fail(exchange, .badServerResponse, because: "The server ended the exchange without an answer.")
    }
    let decision = RedirectPolicy.decision(for: head, to: exchange.request, followed: exchange.redirects)
    if case .none = decision { return end(id, with: .finished) }
    // Time stands still while cookies are stored, as it does for a server.
    setServerWork(.working, of: exchange)
    effects.append(
      .follow(
        PreparedRedirect(
          exchange: id, hop: exchange.hop, decision: decision, head: head, url: exchange.request.url,
          mainDocument: exchange.request.mainDocumentURL, cookies: exchange.settings.cookies,
          body: exchange.settings.followsRedirects ? nil : exchange.body)))
  }

  /// Follows or fails a redirect, after its cookies are stored.
  mutating func followed(_ redirect: PreparedRedirect) {
    guard let exchange = exchanges[redirect.exchange], exchange.hop == redirect.hop, !exchange.hasEnded else {
      return
    }
    switch redirect.decision {
    case .none: break
    case .fail(let error): end(exchange.id, with: .failed(error))
    case .follow(_, keepsBody: true) where exchange.upload.size == nil:
      fail(
        exchange, .requestBodyStreamExhausted,
        because: "The stream to upload cannot be read a second time, from its beginning.")
    case .follow(let next, let keepsBody):
      record(.redirected(to: identities.redaction.url(next.url?.absoluteString ?? "")), of: exchange)
      if !exchange.settings.followsRedirects, let url = redirect.url {
        let begun = exchange.settings.begun ?? exchange.transfer.started
        return end(exchange.id, with: .redirected(next, begun: begun, head: redirect.head, from: url))
      }
      close(exchange, as: .finished)
      exchange.redirect(to: next, keepsBody: keepsBody, at: time)
      exchange.line = RequestLine(next, identities: &identities)
      start(exchange)
    }
  }

  private mutating func failed(_ failure: StreamFailure, _ exchange: Exchange) {
    if failure == .truncated, let answer = exchange.answer, answer.sight != .underWay, exchange.endsWithConnection {
      // The client cannot know that more was to come.
      if exchange.server.end != nil { exchange.server.end = .whole }
      return responseReceived(exchange)
    }
    if repeats(exchange, after: failure) || waitsForNetwork(exchange, after: failure) { return }
    let error = exchange.server.error?.naming(exchange.request.url) ?? .failure(failure, url: exchange.request.url)
    exchange.transfer.takeBack(error.code)
    end(exchange.id, with: .failed(error))
  }

  // MARK: The end

  /// Ends an exchange; it is forgotten once the client has taken the rest of its output.
  mutating func end(_ id: Int, with end: ExchangeOutput.End) {
    guard let exchange = exchanges[id], !exchange.hasEnded else { return }
    let outcome: Transfer.Outcome =
      switch end {
      case .finished, .redirected: .finished
      case .failed(let error): .failed(error.code)
      }
    close(exchange, as: outcome)
    removeTimeouts(of: exchange)
    exchange.stage = .ended(end)
    tell(id)
  }

  mutating func fail(
    _ exchange: Exchange, _ code: URLError.Code, posix: POSIXErrorCode? = nil, because reason: String
  ) {
    end(exchange.id, with: .failed(.simulated(code, url: exchange.request.url, posix: posix, because: reason)))
  }

  /// Ends an exchange that its client cancelled, and drops its output.
  mutating func cancel(_ id: Int) {
    guard let exchange = exchanges[id] else { return }
    if !exchange.hasEnded { close(exchange, as: .cancelled) }
    removeTimeouts(of: exchange)
    stopAwaitingSink(of: exchange)
    remove(id)
  }

  /// Ends the present hop: its record, its stream, and its server's work.
  mutating func close(_ exchange: Exchange, as outcome: Transfer.Outcome) {
    if let stream = exchange.stream {
      exchange.transfer.wire = paths.close(stream, on: exchange.path, isOver: outcome == .finished, at: time)
    }
    exchange.transfer.ended = time
    exchange.transfer.outcome = outcome
    exchange.noteCoding()
    timeline.transfers.append(exchange.transfer)
    if let event = outcome.event { record(event, of: exchange) }
    setServerWork(.done, of: exchange)
    if let held = exchange.server.heldBack.take() { effects.append(.discard(held.works)) }
    noteUpload(of: exchange)
    closeUpload(exchange)
    removeTimers(of: exchange)
    if case .answering(_, let reply) = exchange.stage {
      // A client can have the whole answer while its server's code still runs.
      let hasAll = outcome == .finished && exchange.server.end != nil
      if !hasAll { reply.client.isGone = true }
      effects.append(.close(reply, hasAll: hasAll))
    }
    exchange.stage = .waiting
  }
}
