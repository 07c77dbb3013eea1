public import Foundation
import Internals

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Sends a request once; returns the response's head, and the body in pieces as they arrive.
  ///
  /// The session's delegate receives no calls for this task.
  public func chunks(for request: URLRequest) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse) {
    try await ChunkReceiver().answer(to: request, in: self)
  }
}

/// The delegate of one task, which passes on each piece of the body as it arrives.
private final class ChunkReceiver: NSObject, URLSessionDataDelegate, Sendable {
  typealias Answer = (AsyncThrowingStream<Data, any Error>, URLResponse)

  private let pieces: AsyncThrowingStream<Data, any Error>
  private let body: AsyncThrowingStream<Data, any Error>.Continuation
  private let task = CancellableTask()
  private let head = Mutex<CheckedContinuation<Answer, any Error>?>(nil)

  override init() {
    (pieces, body) = AsyncThrowingStream<Data, any Error>.makeStream()
    super.init()
  }

  func answer(to request: URLRequest, in session: URLSession) async throws -> Answer {
    #if canImport(FoundationNetworking)
      // On Linux tasks have no delegates, so the task gets a session for itself.
      let session = URLSession(configuration: session.configuration, delegate: self, delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      let task = session.dataTask(with: request)
    #else
      let task = session.dataTask(with: request)
      task.delegate = self
    #endif
    body.onTermination = { [handle = self.task] in if case .cancelled = $0 { handle.cancel() } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        head.withLock { $0 = continuation }
        self.task.start(task)
      }
    } onCancel: {
      self.task.cancel()
    }
  }

  private func settle(_ result: Result<Answer, any Error>) {
    let continuation = head.withLock { head in
      defer { head = nil }
      return head
    }
    continuation?.resume(with: result)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    settle(.success((pieces, response)))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    body.yield(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    self.task.finish()
    settle(.failure(error ?? URLError(.unknown)))
    body.finish(throwing: error)
  }
}
