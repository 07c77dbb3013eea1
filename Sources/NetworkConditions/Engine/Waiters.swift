/// Who waits for a network's time to go on.
struct Waiters {
  /// How many sleep on the network's clock, or are to be called.
  var sleepers = 0
  /// How many sleep for whom time does not go on.
  var horizons = 0
  /// How many clients have suspended their task: these wait for nothing.
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

/// Counts what clients and servers did, or were asked to do: where it stands still, nobody moves.
struct EngineProgress {
  var count: UInt64 = 0
  var last = SimulatedInstant.zero
}
