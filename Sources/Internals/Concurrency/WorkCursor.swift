/// Hands out pieces of work by their numbers, from 0, to workers that go on side by side.
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

  /// Returns the next number; `nil` when none is left.
  package func next() -> Int? {
    state.withLock { state in
      guard state.next < state.end else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Hands out nothing from this number on.
  package func end(at number: Int) {
    state.withLock { $0.end = min($0.end, number) }
  }

  /// Counts a piece as done, and returns how many are.
  package func finish() -> Int {
    state.withLock { state in
      state.finished += 1
      return state.finished
    }
  }
}
