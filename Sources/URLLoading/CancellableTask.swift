import Dispatch
import Internals

/// Cancels a task of a session with the Swift task that awaits it: before its start too, and not after its end.
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
    task.resume()
    if isCancelled { cancel() }
  }

  func finish() {
    state.withLock { $0.task = nil }
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    #if canImport(FoundationNetworking)
      // From elsewhere: cancelling waits for the work queue, which may be waiting for whoever cancels. A task that has
      // ended by then is left alone: Foundation stops the process when it fails a task that it has forgotten.
      guard Self.mayCancelHere() else {
        return DispatchQueue.global().async { self.state.withLock(\.task)?.cancel() }
      }
    #endif
    state.withLock(\.task)?.cancel()
  }
}

#if canImport(FoundationNetworking)
  extension CancellableTask {
    typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    private struct Rule {
      var mayCancelHere: @Sendable () -> Bool = { false }
    }
    private static let rule = Mutex(Rule())

    private static func mayCancelHere() -> Bool { rule.withLock { $0 }.mayCancelHere() }

    /// Says where a task may be cancelled on the calling thread: where nothing waits for whoever cancels.
    ///
    /// A simulation's own thread is such a place, and there a cancellation must not come late.
    package static func cancelHere(where mayCancelHere: @escaping @Sendable () -> Bool) {
      rule.withLock { $0.mayCancelHere = mayCancelHere }
    }

    /// Makes a task with a completion handler, resumes it, and returns its answer or throws its error.
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
