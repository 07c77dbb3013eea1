/// The end of the client's process, which a schedule brings about.
extension EngineState {
  /// The client dies: its requests and its sleeps end without a word, and its connections close.
  ///
  /// What its requests hold is never let go of: a process that is killed runs no `deinit`.
  mutating func killClients(losingPower: Bool) {
    timeline.record(losingPower ? .powerLost : .killed, at: time, transfer: nil)
    for exchange in exchanges.all {
      _ = Unmanaged.passRetained(exchange)
      cancel(exchange.id)
    }
    let dead = timers.removeAll { if case .wake(let sleeper) = $0, sleeper.isClients { sleeper } else { nil } }
    waiters.sleepers -= dead.count + suspension.forgetClientsSleeps()
    paths.closeConnections(at: time)
  }

  // MARK: What is recorded

  /// A life of a client begins or is over.
  mutating func noteLife(_ number: Int, begins: Bool) {
    details?.noteLife(number, begins: begins, at: time)
  }

  /// The client has changed a file, or synchronised one.
  mutating func noteFile(isChange: Bool, isUnsynchronised: Bool) {
    details?.fileEvents.append(FileEvent(time: time, isChange: isChange, isUnsynchronised: isUnsynchronised))
  }
}

extension NetworkEngine {
  /// The clients' processes end, for the network.
  func killClients(losingPower: Bool) { change { $0.killClients(losingPower: losingPower) } }
}
