import Internals

/// Cancels one child task of a task group; a group itself can only cancel all of them.
final class CancellationSignal: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case raised
  }
  private let state = Mutex(State.idle)

  func raise() {
    let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .raised }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    continuation?.resume()
  }

  /// Runs work that the signal can cancel; returns when the work has ended.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    await withTaskGroup(of: Value.self) { group in
      group.addTask {
        let value = await work()
        self.raise()
        return value
      }
      // The end of the work raises the signal, too; then there is nothing left to cancel.
      await raised()
      group.cancelAll()
      // The child always returns a value.
      return await group.next()!
    }
  }

  private func raised() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isRaised = state.withLock { state in
          guard case .idle = state else { return true }
          state = .waiting(continuation)
          return false
        }
        if isRaised { continuation.resume() }
      }
    } onCancel: {
      raise()
    }
  }
}
