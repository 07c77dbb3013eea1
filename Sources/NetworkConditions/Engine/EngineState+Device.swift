import LinkSimulator

extension EngineState {
  mutating func enterPhase(_ index: Int, of path: Int) {
    timeline.record(.phaseEntered(paths.phaseName(index, of: path)), at: time, transfer: nil)
    paths.notePhase(of: path, at: time)
    guard let conditions = paths.phase(index, of: path)?.conditions else { return }
    if path == 0 { take(conditions) }
    if conditions.outage != .refuse { sendWaiting(on: path) }
  }

  private mutating func take(_ conditions: PathConditions) {
    let path = NetworkPath(conditions)
    if let before = networkPath, before != path {
      timeline.record(.pathChanged(path), at: time, transfer: nil)
      if before.interface != path.interface { alternatives.forgetNetwork() }
    }
    networkPath = path
    let suspends = conditions.device.suspendsApp
    guard suspension.isActive != suspends else { return }
    timeline.record(suspends ? .suspended : .resumed, at: time, transfer: nil)
    if suspends { suspension.begin() } else { goOn() }
  }

  /// Makes a request that failed offline wait for a network, if its session wants that; returns whether it waits.
  mutating func waitsForNetwork(_ exchange: Exchange, after failure: StreamFailure) -> Bool {
    guard failure == .offline, exchange.settings.waitsForConnectivity, let stream = exchange.stream else {
      return false
    }
    _ = paths.close(stream, on: exchange.path, isOver: true, at: time)
    exchange.stage = .waiting
    exchange.limits.awaitsNetwork = true
    record(.waitingForConnectivity, of: exchange)
    return true
  }

  private mutating func sendWaiting(on path: Int) {
    for exchange in exchanges.all where exchange.limits.awaitsNetwork && exchange.path == path && !exchange.hasEnded {
      exchange.limits.awaitsNetwork = false
      exchange.limits.lastActivity = time
      renewTimeouts(of: exchange)
      depart(exchange)
    }
  }

  /// Runs the work that came due during the suspension, and tells clients of their output.
  private mutating func goOn() {
    for work in suspension.end() { perform(work) }
    for exchange in exchanges.all { tell(exchange.id) }
  }

  /// Suspends the app now, for `duration`; overlapping suspensions last until the latest of their ends.
  mutating func suspendApp(for duration: Duration) {
    paths.setSuspension(true, at: time)
    let end = max(suspension.resumption ?? time, time.advanced(by: duration))
    suspension.resumption = end
    _ = timers.add(.resumeApp, at: end)
  }

  mutating func resumeApp() {
    guard let end = suspension.resumption, end <= time else { return }
    suspension.resumption = nil
    paths.setSuspension(false, at: time)
  }
}
