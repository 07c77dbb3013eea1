/// Distributes numbered pieces of work, from 0, among concurrent workers.
package final class WorkCursor: Sendable {
  private struct State {
    var next = 0
    var end: Int
    var finished = 0
  }
  private let state: Mutex<State>

  package init(total: Int) {
    state = Mutex(State(end: total))
  }

  /// Returns the next number; `nil` when no work is left.
  package func next() -> Int? {
    state.withLock { state in
      guard state.next < state.end else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  package var end: Int { state.withLock { $0.end } }

  /// Stops the distribution after this number.
  package func end(after number: Int) {
    state.withLock { $0.end = min($0.end, number + 1) }
  }

  /// Counts a finished piece, and returns the number of finished ones.
  package func finish() -> Int {
    state.withLock { state in
      state.finished += 1
      return state.finished
    }
  }
}
