import Internals

/// A manual clock: ``advance()`` jumps to the next sleeper's time.
final class TestClock: Clock, Sendable {
  struct Instant: InstantProtocol, Hashable {
    var time: Duration
    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (one: Instant, other: Instant) -> Bool { one.time < other.time }
  }

  private struct Sleeper {
    let deadline: Instant
    let number: Int
    let continuation: CheckedContinuation<Void, any Error>
  }
  private struct State {
    var now = Instant(time: .zero)
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var count = 0
  }
  private let state = Mutex(State())

  var now: Instant { state.withLock(\.now) }
  var minimumResolution: Duration { .nanoseconds(1) }
  /// How many tasks sleep now.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }
  /// When the first sleep ends.
  var nextEnd: Instant? { state.withLock { $0.sleepers.map(\.deadline).min() } }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let end: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.contains(number) { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers.append(Sleeper(deadline: deadline, number: number, continuation: continuation))
          return nil
        }
        if let end { continuation.resume(with: end) }
      }
    } onCancel: {
      let sleeper: Sleeper? = state.withLock { state in
        state.cancelled.insert(number)
        guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Jumps to the earliest sleeper and wakes it; returns false if no task sleeps.
  func advance() -> Bool {
    let sleeper: Sleeper? = state.withLock { state in
      let order = state.sleepers.indices.sorted {
        (state.sleepers[$0].deadline, state.sleepers[$0].number)
          < (state.sleepers[$1].deadline, state.sleepers[$1].number)
      }
      guard let first = order.first else { return nil }
      let sleeper = state.sleepers.remove(at: first)
      state.now = max(state.now, sleeper.deadline)
      return sleeper
    }
    sleeper?.continuation.resume()
    return sleeper != nil
  }
}
