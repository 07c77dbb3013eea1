import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What happens on the paths, turned into what clients and servers see.
extension EngineState {
  mutating func handle(_ event: PathEvent, on path: Int) {
    guard let stream = event.stream else {
      if case .phaseEntered(let index) = event.kind {
        timeline.record(.phaseEntered(paths.phaseName(index, of: path)), at: event.time, transfer: nil)
      }
      return
    }
    guard let id = paths.owner(of: stream, on: path), let transfer = exchanges[id]?.transfer else { return }
    switch event.kind {
    case .resolved(let cached):
      timeline.transfers[transfer].resolved = event.time
      record(.resolved(cached: cached), of: id)
    case .connected(let reused):
      timeline.transfers[transfer].connected = event.time
      timeline.transfers[transfer].reusedConnection = reused
      record(.connected(reused: reused), of: id)
    case .secured:
      timeline.transfers[transfer].secured = event.time
      record(.secured, of: id)
    case .requestSent:
      timeline.transfers[transfer].requestSent = event.time
      record(.requestSent, of: id)
    case .uploaded(let total): uploaded(total, by: id)
    case .requestReceived: requestReceived(id)
    case .received(let count): received(count, by: id)
    case .responseReceived: responseReceived(id)
    case .packetLost(let direction, let reason): record(.packetLost(direction, reason), of: id)
    case .retransmitted(let direction, let reason): record(.retransmitted(direction, reason), of: id)
    case .stalled:
      timeline.transfers[transfer].stalls += 1
      record(.stalled, of: id)
    case .phaseEntered: break
    case .failed(let failure): failed(failure, id)
    }
  }

  private mutating func uploaded(_ total: Int64, by id: Int) {
    exchanges[id]?.upload(total, at: time)
    guard let exchange = exchanges[id], exchange.uploadMoved else { return }
    timeline.transfers[exchange.transfer].bytesSent = exchange.uploaded
    record(.uploaded(bytes: exchange.uploaded, of: exchange.uploadSize), of: id)
    tell(id)
  }

  private mutating func requestReceived(_ id: Int) {
    guard var exchange = exchanges[id] else { return }
    timeline.transfers[exchange.transfer].requestReceived = time
    exchange.lastActivity = time
    exchange.stage = .answering
    guard let engine else { return }
    let reply = Reply(engine: engine, exchange: id, hop: exchange.redirects)
    exchange.reply = reply
    exchanges[id] = exchange
    if let status = exchange.plan.status {
      var head = ResponseHead(status: status.code, headers: [HeaderField("Content-Length", "0")])
      if let wait = status.retryAfter {
        head.headers.append(HeaderField("Retry-After", "\((wait.wholeNanoseconds + 999_999_999) / 1_000_000_000)"))
      }
      giveHead(head, of: id)
      giveEnd(nil, of: id)
      return
    }
    setServerWork(.working, of: id)
    ask(
      TransportRequest(request: exchange.request, body: exchange.body, occurrence: exchange.occurrence, time: time),
      reply)
  }

  private mutating func received(_ count: Int64, by id: Int) {
    guard var exchange = exchanges[id] else { return }
    if exchange.arrived == 0 { timeline.transfers[exchange.transfer].firstByte = time }
    let before = exchange.arrivedBody
    let hasHead = exchange.receive(count, at: time)
    if hasHead, let head = exchange.head {
      timeline.transfers[exchange.transfer].status = head.status
      timeline.transfers[exchange.transfer].bytesExpected = exchange.expectedBody
      exchange.settings.cookies?.store(head, from: exchange.request.url, mainDocument: exchange.request.mainDocumentURL)
      if exchange.settings.followsRedirects {
        switch RedirectPolicy.decision(for: head, to: exchange.request, followed: exchange.redirects) {
        case .none: break
        case .follow, .fail: exchange.isFollowedRedirect = true
        }
      }
    }
    let more = exchange.arrivedBody - before
    exchanges[id] = exchange
    if hasHead { record(.response(status: exchange.head?.status ?? 0), of: id) }
    if more > 0 {
      timeline.transfers[exchange.transfer].bytesReceived = exchange.arrivedBody
      timeline.transfers[exchange.transfer].rate.add(more, at: time)
      record(.received(bytes: exchange.arrivedBody, of: exchange.expectedBody), of: id)
    }
    tell(id)
  }

  private mutating func responseReceived(_ id: Int) {
    guard let exchange = exchanges[id] else { return }
    if let error = exchange.serverError { return end(id, with: .failed(error.naming(exchange.request.url))) }
    guard let head = exchange.head else {
      return end(
        id,
        with: .failed(
          .simulated(.badServerResponse, url: exchange.request.url, because: "The server ended without an answer.")))
    }
    switch RedirectPolicy.decision(for: head, to: exchange.request, followed: exchange.redirects) {
    case .none: end(id, with: .finished)
    case .fail(let error): end(id, with: exchange.settings.followsRedirects ? .failed(error) : .finished)
    case .follow(var next, let keepsBody):
      guard exchange.settings.followsRedirects else { return end(id, with: .redirected(next)) }
      exchange.settings.cookies?.apply(to: &next)
      record(.redirected(to: next.url?.absoluteString ?? ""), of: id)
      close(id, as: .finished)
      exchanges[id]?.restart(with: next, keepsBody: keepsBody, at: time)
      exchanges[id]?.occurrence = identities.next(of: next)
      start(id)
    }
  }

  private mutating func failed(_ failure: StreamFailure, _ id: Int) {
    guard let exchange = exchanges[id] else { return }
    let error = exchange.serverError?.naming(exchange.request.url) ?? .failure(failure, url: exchange.request.url)
    end(id, with: .failed(error))
  }

  // MARK: The end

  /// Ends an exchange for its client; it is forgotten once the client has taken what is left.
  mutating func end(_ id: Int, with end: ExchangeOutput.End) {
    guard let exchange = exchanges[id], !exchange.hasEnded else { return }
    let outcome: Transfer.Outcome =
      switch end {
      case .finished, .redirected: .finished
      case .failed(let error): .failed(error.code)
      }
    close(id, as: outcome)
    exchanges[id]?.stage = .ended(end)
    tell(id)
  }

  /// The client gives an exchange up; nobody will take anything of it.
  mutating func cancel(_ id: Int) {
    guard let exchange = exchanges[id] else { return }
    if !exchange.hasEnded { close(id, as: .cancelled) }
    if exchange.isSinkTold { forgetTold() }
    exchanges[id] = nil
  }

  /// Ends the record of the present hop, and whatever of it is still under way.
  private mutating func close(_ id: Int, as outcome: Transfer.Outcome) {
    guard let exchange = exchanges[id] else { return }
    if exchange.hasDeparted {
      timeline.transfers[exchange.transfer].wire = paths.close(
        exchange.stream, on: exchange.path, isOver: outcome == .finished)
    }
    timeline.transfers[exchange.transfer].ended = time
    timeline.transfers[exchange.transfer].outcome = outcome
    switch outcome {
    case .finished: record(.finished, of: id)
    case .failed(let code): record(.failed(code), of: id)
    case .cancelled: record(.cancelled, of: id)
    case .running: break
    }
    setServerWork(.done, of: id)
    if let reply = exchange.reply { run(reply.close(clientHasGone: outcome != .finished)) }
    exchanges[id]?.hasDeparted = false
  }

  // MARK: Timeouts

  /// Watches the client's timeouts from now on.
  mutating func watchTimeouts(of id: Int) {
    guard let exchange = exchanges[id], !exchange.hasTimeouts, !exchange.hasEnded else { return }
    exchanges[id]?.hasTimeouts = true
    if let idle = exchange.settings.idleTimeout {
      timers.add(.idleTimeout(id), at: exchange.lastActivity.advanced(by: idle))
    }
    if let whole = exchange.settings.resourceTimeout {
      timers.add(.resourceTimeout(id), at: timeline.transfers[exchange.transfer].started.advanced(by: whole))
    }
  }

  mutating func checkIdleTimeout(of id: Int) {
    guard let exchange = exchanges[id], !exchange.hasEnded, let idle = exchange.settings.idleTimeout else { return }
    // A suspended task's timer does not run (URLSessionTask.suspend()); it begins anew when the task goes on.
    if exchange.isSuspended { return }
    let deadline = exchange.lastActivity.advanced(by: idle)
    if deadline > time {
      timers.add(.idleTimeout(id), at: deadline)
    } else {
      timeOut(id, after: idle, "the next byte")
    }
  }

  mutating func timeOut(_ id: Int, after limit: Duration?, _ what: String) {
    guard let exchange = exchanges[id], !exchange.hasEnded else { return }
    record(.timedOut, of: id)
    let seconds = limit.map { "\(Double($0.wholeNanoseconds) / 1e9) s" } ?? ""
    end(
      id,
      with: .failed(
        .simulated(
          .timedOut, url: exchange.request.url, posix: .ETIMEDOUT,
          because: "The request timed out: \(what) took longer than \(seconds).")))
  }

  /// A suspended exchange hands nothing over and never times out for idleness.
  mutating func suspend(_ id: Int, _ isSuspended: Bool) {
    guard var exchange = exchanges[id], exchange.isSuspended != isSuspended else { return }
    exchange.isSuspended = isSuspended
    exchange.lastActivity = time
    exchanges[id] = exchange
    guard !isSuspended else { return }
    if let idle = exchange.settings.idleTimeout, exchange.hasTimeouts {
      timers.add(.idleTimeout(id), at: time.advanced(by: idle))
    }
    tell(id)
  }
}

extension URLError {
  /// The same error, naming the URL that failed unless it names one already.
  func naming(_ url: URL?) -> URLError {
    guard let url, failureURLString == nil else { return self }
    var info = userInfo
    info[NSURLErrorFailingURLErrorKey] = url
    info[NSURLErrorFailingURLStringErrorKey] = url.absoluteString
    return URLError(code, userInfo: info)
  }
}
