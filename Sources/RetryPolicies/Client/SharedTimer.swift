import Internals

/// Calls many pieces of work at their times with one sleep.
///
/// Most time limits are cancelled, since their request ends before. A cancelled sleep costs more than the rest of a request,
/// and the system keeps it until its time has come. A cancelled call costs one lock here.
final class SharedTimer<C: Clock>: Sendable where C.Duration == Duration {
  private struct Call {
    let due: C.Instant
    let number: Int
  }

  private struct State {
    /// The calls, ordered by time; those without work were cancelled.
    var calls: [Call] = []
    var work: [Int: @Sendable () -> Void] = [:]
    var count = 0
    var sleep: (end: C.Instant, task: Task<Void, Never>)?
  }

  /// How many calls the timer stores, including cancelled ones.
  var pendingCount: Int { state.withLock(\.calls.count) }

  private let clock: C
  private let state = Mutex(State())

  init(_ clock: C) {
    self.clock = clock
  }

  /// Calls the work at a time, on any thread; returns a number with which to cancel it.
  func call(at due: C.Instant, _ work: @escaping @Sendable () -> Void) -> Int {
    let (number, former) = state.withLock { state in
      state.count += 1
      if state.calls.count > 2 * state.work.count + 64 { state.calls.removeAll { state.work[$0.number] == nil } }
      state.work[state.count] = work
      state.calls.insert(
        Call(due: due, number: state.count), at: state.calls.partitioningIndex { due < $0.due })
      return (state.count, sleep(&state))
    }
    former?.cancel()
    return number
  }

  func cancel(_ number: Int) {
    _ = state.withLock { $0.work.removeValue(forKey: number) }
  }

  /// Starts a sleep until the first call's time; returns the former sleep's task, to be cancelled.
  private func sleep(_ state: inout State) -> Task<Void, Never>? {
    guard let end = state.calls.first?.due, state.sleep.map({ end < $0.end }) ?? true else { return nil }
    let former = state.sleep?.task
    let task = Task.detached { [self] in
      try? await clock.sleep(until: end, tolerance: nil)
      if !Task.isCancelled { wake() }
    }
    state.sleep = (end, task)
    return former
  }

  /// Does the work that is due, in order of time, and sleeps until the next work.
  private func wake() {
    let now = clock.now
    let due = state.withLock { state in
      let isDue = state.calls.partitioningIndex { now < $0.due }
      let due = state.calls[..<isDue].compactMap { state.work.removeValue(forKey: $0.number) }
      state.calls.removeAll { state.work[$0.number] == nil }
      state.sleep = nil
      _ = sleep(&state)
      return due
    }
    for work in due { work() }
  }
}
