import URLLoading

/// How long clients wait, and how long a network that stands still is waited for.
extension EngineState {
  // MARK: Time limits of clients

  /// Watches the client's timeouts from now on.
  mutating func watchTimeouts(of id: Int) {
    guard let exchange = exchanges[id], exchange.limits.watch == nil, !exchange.hasEnded else { return }
    exchange.limits.watch = .init(
      deadline: exchange.settings.resourceTimeout.map { exchange.transfer.started.advanced(by: $0) })
    if exchange.limits.suspended == nil { setTimeouts(of: exchange) }
  }

  /// Has the time limits looked at when the first of them may be over: each look is also the last that was asked for.
  private mutating func setTimeouts(of exchange: Exchange) {
    let idle = exchange.idleTimeout.map { exchange.limits.lastActivity.advanced(by: $0) }
    guard let next = [idle, exchange.limits.watch?.deadline].compactMap({ $0 }).min() else { return }
    exchange.limits.watch?.timer = timers.add(.timeouts(exchange.id), at: next)
  }

  /// Has the time limits looked at anew that are watched, for one of them has begun.
  mutating func renewTimeouts(of exchange: Exchange) {
    removeTimeouts(of: exchange)
    if exchange.limits.watch != nil, exchange.limits.suspended == nil { setTimeouts(of: exchange) }
  }

  mutating func removeTimeouts(of exchange: Exchange) {
    if let timer = exchange.limits.watch?.timer { _ = timers.remove(timer) }
    exchange.limits.watch?.timer = nil
  }

  mutating func checkTimeouts(of id: Int) {
    guard let exchange = exchanges[id] else { return }
    if let idle = exchange.idleTimeout, exchange.limits.lastActivity.advanced(by: idle) <= time {
      timeOut(exchange, after: idle, "the next byte")
    } else if let deadline = exchange.limits.watch?.deadline, deadline <= time,
      let whole = exchange.settings.resourceTimeout
    {
      timeOut(exchange, after: whole, "the whole of it")
    } else {
      setTimeouts(of: exchange)
    }
  }

  private mutating func timeOut(_ exchange: Exchange, after limit: Duration, _ what: String) {
    record(.timedOut, of: exchange)
    let seconds = Double(limit.wholeNanoseconds) / 1e9
    end(
      exchange.id,
      with: .failed(
        .simulated(
          .timedOut, url: exchange.request.url, posix: .ETIMEDOUT,
          because: "The request timed out: \(what) took longer than \(seconds) s.")))
  }

  /// A suspended exchange hands nothing over, and its time limits do not run (`URLSessionTask.suspend()`): the one for
  /// the next byte begins anew when the task goes on, the one for the whole of it is longer by that time.
  mutating func suspend(_ id: Int, _ isSuspended: Bool) {
    guard let exchange = exchanges[id], (exchange.limits.suspended != nil) != isSuspended else { return }
    waiters.suspended += isSuspended ? 1 : -1
    guard let start = exchange.limits.suspended else {
      exchange.limits.suspended = time
      return removeTimeouts(of: exchange)
    }
    exchange.limits.suspended = nil
    exchange.limits.lastActivity = time
    if let deadline = exchange.limits.watch?.deadline {
      exchange.limits.watch?.deadline = deadline.advanced(by: start.duration(to: time))
    }
    if !exchange.hasEnded { renewTimeouts(of: exchange) }
    tell(id)
  }

  // MARK: Patience

  /// Ends the requests that cannot go on after nothing has moved for so long in real time, with errors that say what
  /// each was waiting for.
  mutating func giveUp(after patience: Duration) {
    var isStuck = false
    for exchange in exchanges.all where !exchange.hasEnded && exchange.limits.suspended == nil {
      guard let what = obstacle(of: exchange) else { continue }
      isStuck = true
      giveUp(exchange, after: patience, what)
    }
    // A client that does not take its output holds up others; where there are none, time stands still as it should,
    // however slow the machine is.
    let keepsOthersWaiting =
      waiters.sleepers > 0
      || exchanges.all.contains { !$0.hasEnded && $0.limits.suspended == nil && $0.notice == .none }
    for exchange in exchanges.all where keepsOthersWaiting && exchange.notice == .told {
      isStuck = true
      stopAwaitingSink(of: exchange)
    }
    // Phases that repeat go on for ever, and end nothing.
    let isForEver = progress.last.duration(to: time) > Waiters.listenersPatience
    guard !isStuck, outside.toldClients == 0, isForEver || earliest == nil else { return }
    for exchange in exchanges.all where !exchange.hasEnded && exchange.limits.suspended == nil {
      giveUp(exchange, after: patience, "something that never comes, since no time limit ends it")
    }
  }

  private mutating func giveUp(_ exchange: Exchange, after patience: Duration, _ what: String) {
    end(
      exchange.id,
      with: .failed(
        .simulated(
          .timedOut, url: exchange.request.url, posix: .ETIMEDOUT,
          because: """
            Nothing has moved for \(patience) of real time, and this network's own time stands still meanwhile: the \
            request waits for \(what).
            """)))
  }

  /// Says in words which part outside of the network's time an exchange waits for.
  private func obstacle(of exchange: Exchange) -> String? {
    switch exchange.server.work {
    case .outside: "a real server that does not answer"
    case .working:
      """
      its stub or transport, which is held, or blocked, or waits for this network or its clock (which go on only when it \
      has answered; in a Simulation they do)
      """
    case .waiting, .done: exchange.upload.size == nil ? "the stream that its body is read from" : nil
    }
  }
}
