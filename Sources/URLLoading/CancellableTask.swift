import Dispatch
package import Internals

/// Wraps a session's task: it never starts if it is cancelled first, and cancelling it after its end has no effect.
package final class CancellableTask: Sendable {
  private struct State {
    var task: URLSessionTask?
    var isCancelled = false
  }
  private let state = Mutex(State())

  func start(_ task: URLSessionTask) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { cancel() } else { task.resume() }
  }

  func finish() {
    state.withLock { $0.task = nil }
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    #if canImport(FoundationNetworking)
      // Cancel on another thread: cancelling waits for the work queue, which may be waiting for the caller. A task that
      // has ended meanwhile is left alone, since Foundation traps when it fails a task that it has forgotten.
      guard Self.mayCancelHere.value?() == true else {
        return DispatchQueue.global().async { self.state.withLock(\.task)?.cancel() }
      }
    #endif
    state.withLock(\.task)?.cancel()
  }
}

#if canImport(FoundationNetworking)
  extension CancellableTask {
    typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    /// Returns whether the calling thread may cancel a task directly, because nothing in the task's session waits for
    /// it.
    ///
    /// A simulation's thread is one; there a cancellation must not be delayed.
    package static let mayCancelHere = Hook<@Sendable () -> Bool>()

    /// Creates a task with a completion handler, resumes it, and returns its response or throws its error.
    static func run(_ make: (@escaping Completion) -> URLSessionTask) async throws -> (Data, URLResponse) {
      let handle = CancellableTask()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<(Data, URLResponse), any Error>) in
          let task = make { data, response, error in
            handle.finish()
            guard let data, let response, error == nil else {
              continuation.resume(throwing: error ?? URLError(.unknown))
              return
            }
            continuation.resume(returning: (data, response))
          }
          handle.start(task)
        }
      } onCancel: {
        handle.cancel()
      }
    }
  }
#endif
