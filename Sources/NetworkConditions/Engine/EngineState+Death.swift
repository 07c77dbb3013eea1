/// Kills the client's process when a schedule says so.
extension EngineState {
  /// Ends the clients' requests and sleeps without a notification, and closes their connections.
  ///
  /// The objects that the requests hold are leaked on purpose: a killed process runs no `deinit`.
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

  mutating func noteFile(isChange: Bool, isUnsynchronised: Bool) {
    details?.fileEvents.append(FileEvent(time: time, isChange: isChange, isUnsynchronised: isUnsynchronised))
  }
}
