/// The death of the client's process, as a schedule demands it.
extension EngineState {
  /// Ends the clients' requests and sleeps without telling them, and closes their connections.
  ///
  /// The objects that the requests hold are leaked on purpose: a killed process runs no `deinit`.
  mutating func killClients(losingPower: Bool) {
    timeline.record(losingPower ? .powerLost : .killed, at: time, transfer: nil)
    for exchange in exchanges.all {
      _ = Unmanaged.passRetained(exchange)
      cancel(exchange.id)
    }
    let dead = timers.removeAll { if case .wake(let sleeper) = $0, sleeper.isClients { sleeper } else { nil } }
    let count = held.count
    held.removeAll { if case .wake(let sleeper) = $0 { sleeper.isClients } else { false } }
    sleepers -= dead.count + count - held.count
    paths.closeConnections(at: time)
  }

  // MARK: What is recorded

  /// Records the beginning or the end of a client's life, if contents are recorded.
  mutating func noteLife(_ number: Int, begins: Bool) {
    guard contents != nil else { return }
    if begins {
      lives[number] = time...SimulatedInstant.distantFuture
    } else if let life = lives[number] {
      lives[number] = life.lowerBound...max(time, life.lowerBound)
    }
  }

  /// Records that the client changed or synchronised a file, if contents are recorded.
  mutating func noteFile(isChange: Bool, isUnsynchronised: Bool) {
    guard contents != nil else { return }
    fileEvents.append(FileEvent(time: time, isChange: isChange, isUnsynchronised: isUnsynchronised))
  }
}

extension NetworkEngine {
  func killClients(losingPower: Bool) { change { $0.killClients(losingPower: losingPower) } }
}
