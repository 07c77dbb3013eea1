/// Counts the clients and sleepers that wait for a network's time to advance.
struct Waiters {
  /// How many sleep on the network's clock or wait for a scheduled call.
  var sleepers = 0
  /// How many sleepers wait without making time advance (``SimulatedClock/sleep(toHorizon:)``).
  var horizons = 0
  /// How many clients have suspended their task; they do not wait for time.
  var suspended = 0
  private var lastInterest = SimulatedInstant.zero

  func isAnyone(of exchanges: Int) -> Bool { exchanges > suspended || sleepers > 0 }

  mutating func areInterested(in next: SimulatedInstant, of exchanges: Int, at now: SimulatedInstant) -> Bool {
    if isAnyone(of: exchanges) {
      lastInterest = now
      return true
    }
    return next <= lastInterest.advanced(by: Self.listenersPatience)
  }

  static let listenersPatience = Duration.seconds(3600)
}

/// Counts the actions of clients and servers; an unchanged count means no progress.
struct EngineProgress {
  var count: UInt64 = 0
  var last = SimulatedInstant.zero
}
