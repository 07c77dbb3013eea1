import LinkSimulator

/// The effects of the device's state on the client's requests: they wait for a network, and hear nothing while their
/// app is suspended.
extension EngineState {
  /// A phase of a path's profile has begun.
  mutating func enterPhase(_ index: Int, of path: Int) {
    timeline.record(.phaseEntered(paths.phaseName(index, of: path)), at: time, transfer: nil)
    paths.notePhase(of: path, at: time)
    guard let conditions = paths.conditions(index, of: path) else { return }
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

  // MARK: Connectivity

  /// Has a request wait until there is a network, if it was to; says whether.
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

  /// Sends the requests that waited for a network; their time limit for the next byte begins.
  private mutating func sendWaiting(on path: Int) {
    for exchange in exchanges.all where exchange.limits.awaitsNetwork && exchange.path == path && !exchange.hasEnded {
      exchange.limits.awaitsNetwork = false
      exchange.limits.lastActivity = time
      renewTimeouts(of: exchange)
      depart(exchange)
    }
  }

  // MARK: Suspension

  /// Carries out the app's work that was due in the meantime, and tells its requests of their output.
  private mutating func goOn() {
    for work in suspension.end() { perform(work) }
    for exchange in exchanges.all { tell(exchange.id) }
  }

  /// Suspends the app from now on, for a while.
  mutating func suspendApp(for duration: Duration) {
    paths.setSuspension(true, at: time)
    _ = timers.add(.resumeApp, at: time.advanced(by: duration))
  }
}
