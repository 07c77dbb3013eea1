#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Something that carries out HTTP requests: a `URLSession`, or a ``SimulatedNetwork`` in its place.
///
/// A client that takes `any HTTPLoader` can be handed either. Errors are `URLError`s.
public protocol HTTPLoader: Sendable {
  /// Sends a request and gives back the whole of its answer.
  func data(for request: URLRequest) async throws -> (Data, URLResponse)

  /// Sends a request with a body and gives back the whole of its answer.
  func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse)

  /// Sends a request with a file as its body and gives back the whole of its answer.
  func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse)
}

extension HTTPLoader {
  /// Gets what is at a URL.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url))
  }
}

extension URLSession: HTTPLoader {
  /// Sends a request and gives back the whole of its answer.
  ///
  /// On Linux this goes by a completion handler, since Foundation's own `data(for:delegate:)` there can deadlock when
  /// its task is cancelled in the very moment in which the request ends (swift-corelibs-foundation issue 5412).
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    #if canImport(FoundationNetworking)
      try await CancellableTask.run { self.dataTask(with: request, completionHandler: $0) }
    #else
      try await data(for: request, delegate: nil)
    #endif
  }

  /// Sends a request with a body and gives back the whole of its answer.
  public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
    #if canImport(FoundationNetworking)
      try await CancellableTask.run { self.uploadTask(with: request, from: body, completionHandler: $0) }
    #else
      try await upload(for: request, from: body, delegate: nil)
    #endif
  }

  /// Sends a request with a file as its body and gives back the whole of its answer.
  public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
    #if canImport(FoundationNetworking)
      try await CancellableTask.run { self.uploadTask(with: request, fromFile: file, completionHandler: $0) }
    #else
      try await upload(for: request, fromFile: file, delegate: nil)
    #endif
  }
}

#if canImport(FoundationNetworking)
  import Dispatch
  import Synchronization

  /// Awaits a task with a completion handler, and cancels it with the Swift task that awaits it.
  final class CancellableTask: Sendable {
    typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    private struct State {
      var task: URLSessionTask?
      var isCancelled = false
    }
    private let state = Mutex(State())

    static func run(_ make: (@escaping Completion) -> URLSessionTask) async throws -> (Data, URLResponse) {
      let handle = CancellableTask()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<(Data, URLResponse), any Error>) in
          let task = make { data, response, error in
            if let data, let response, error == nil {
              continuation.resume(returning: (data, response))
            } else {
              continuation.resume(throwing: error ?? URLError(.unknown))
            }
          }
          handle.start(task)
        }
      } onCancel: {
        handle.cancel()
      }
    }

    private func start(_ task: URLSessionTask) {
      let isCancelled = state.withLock { state in
        state.task = task
        return state.isCancelled
      }
      task.resume()
      if isCancelled { task.cancel() }
    }

    private func cancel() {
      let task = state.withLock { state in
        state.isCancelled = true
        return state.task
      }
      // From elsewhere: cancelling waits for the work queue, which may be waiting for whoever cancels.
      guard let task else { return }
      // In a simulation it waits for nobody, and must not come late.
      if SimulationDriver.isDriving { task.cancel() } else { DispatchQueue.global().async { task.cancel() } }
    }
  }
#endif
