import URLLoading

extension EngineState {
  // MARK: Time limits of clients

  /// Starts the client's timeouts; the task cannot be suspended before this call.
  mutating func watchTimeouts(of id: Int) {
    guard let exchange = exchanges[id], exchange.limits.watch == nil, !exchange.hasEnded else { return }
    exchange.limits.watch = .init(
      deadline: exchange.settings.resourceTimeout.map {
        (exchange.settings.begun ?? exchange.transfer.started).advanced(by: $0)
      })
    setTimeouts(of: exchange)
  }

  private mutating func setTimeouts(of exchange: Exchange) {
    let idle = exchange.idleTimeout.map { exchange.limits.lastActivity.advanced(by: $0) }
    guard let next = [idle, exchange.limits.watch?.deadline].compactMap({ $0 }).min() else { return }
    exchange.limits.watch?.timer = timers.add(.timeouts(exchange.id), at: next)
  }

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
      timeOut(exchange, after: whole, "the whole request")
    } else {
      setTimeouts(of: exchange)
    }
  }

  private mutating func timeOut(_ exchange: Exchange, after limit: Duration, _ what: String) {
    record(.timedOut, of: exchange)
    let seconds = Double(limit.wholeNanoseconds) / 1e9
    fail(
      exchange, .timedOut, posix: .ETIMEDOUT,
      because: "The request timed out: \(what) took longer than \(seconds) s.")
  }

  /// Suspends or resumes an exchange's output and timeouts (`URLSessionTask.suspend()`).
  ///
  /// When the task resumes, the idle timeout restarts. The timeout of the whole request is extended by the pause.
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

  /// After `patience` of real time without progress, fails the stuck requests, and says what each waited for.
  mutating func giveUp(after patience: Duration) {
    var isStuck = false
    for exchange in exchanges.all where !exchange.hasEnded && exchange.limits.suspended == nil {
      guard let what = obstacle(of: exchange) else { continue }
      isStuck = true
      giveUp(exchange, after: patience, what)
    }
    // A client that does not take its output is given up only if it delays others. Otherwise time may stand still,
    // however slow the machine is.
    let keepsOthersWaiting =
      waiters.sleepers > 0
      || exchanges.all.contains { !$0.hasEnded && $0.limits.suspended == nil && $0.notice == .none }
    for exchange in exchanges.all where keepsOthersWaiting && exchange.notice == .told {
      isStuck = true
      stopAwaitingSink(of: exchange)
    }
    // Repeating phases go on for ever and end no request.
    let isForEver = progress.last.duration(to: time) > Waiters.listenersPatience
    guard !isStuck, outside.toldClients == 0, isForEver || earliest == nil else { return }
    for exchange in exchanges.all where !exchange.hasEnded && exchange.limits.suspended == nil {
      giveUp(exchange, after: patience, "something that never comes, and no time limit ends it")
    }
  }

  private mutating func giveUp(_ exchange: Exchange, after patience: Duration, _ what: String) {
    fail(
      exchange, .timedOut, posix: .ETIMEDOUT,
      because: """
        Nothing has moved for \(patience) of real time, and this network's own time stands still meanwhile: the \
        request waits for \(what).
        """)
  }

  private func obstacle(of exchange: Exchange) -> String? {
    switch exchange.server.work {
    case .outside: "a real server that does not answer"
    case .working:
      """
      its stub or transport, which is held or blocked, or waits for this network or its clock (outside a Simulation, they \
      continue only after it has answered)
      """
    case .waiting, .done: exchange.upload.size == nil ? "the stream of its body" : nil
    }
  }
}
