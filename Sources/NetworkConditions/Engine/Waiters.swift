/// Who waits for a network's time to go on.
struct Waiters {
  /// How many sleep on the network's clock, or are to be called.
  var sleepers = 0
  /// How many sleep for whom time does not go on.
  var horizons = 0
  /// How many clients have suspended their task: these wait for nothing.
  var suspended = 0
  private var lastInterest = SimulatedInstant.zero

  /// Whether anyone waits, where there are so many exchanges.
  func isAnyone(of exchanges: Int) -> Bool { exchanges > suspended || sleepers > 0 }

  /// Whether anyone would notice what happens at `next`.
  ///
  /// Time goes on for those who only listen, since they may wait for a phase. But phases can repeat for ever, and so it goes
  /// on no longer than ``listenersPatience`` after a client last waited.
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
  private(set) var count: UInt64 = 0
  private(set) var last = SimulatedInstant.zero

  mutating func note(at time: SimulatedInstant) {
    count += 1
    last = time
  }
}
