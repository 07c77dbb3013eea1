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
    try await ChunkReceiver.answer(to: request, in: self)
  }
}

/// The delegate of one task, which passes on each piece of the body as it arrives.
private final class ChunkReceiver: NSObject, URLSessionDataDelegate, Sendable {
  typealias Answer = (AsyncThrowingStream<Data, any Error>, URLResponse)

  private struct Awaited {
    let continuation: CheckedContinuation<Answer, any Error>
    let pieces: AsyncThrowingStream<Data, any Error>
  }

  private let body: AsyncThrowingStream<Data, any Error>.Continuation
  private let task = CancellableTask()
  /// The waiting reader of the head, with the body's stream.
  ///
  /// Afterwards only the reader holds the stream, whose release cancels the task.
  private let awaited = Mutex<Awaited?>(nil)

  static func answer(to request: URLRequest, in session: URLSession) async throws -> Answer {
    let (pieces, body) = AsyncThrowingStream<Data, any Error>.makeStream()
    return try await ChunkReceiver(body).answer(to: request, in: session, pieces)
  }

  private init(_ body: AsyncThrowingStream<Data, any Error>.Continuation) {
    self.body = body
    super.init()
  }

  private func answer(
    to request: URLRequest, in session: URLSession, _ pieces: AsyncThrowingStream<Data, any Error>
  ) async throws -> Answer {
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
        awaited.withLock { $0 = Awaited(continuation: continuation, pieces: pieces) }
        self.task.start(task)
      }
    } onCancel: {
      self.task.cancel()
    }
  }

  private func takeAwaited() -> Awaited? {
    awaited.withLock { awaited in
      defer { awaited = nil }
      return awaited
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let awaited = takeAwaited() { awaited.continuation.resume(returning: (awaited.pieces, response)) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    body.yield(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    self.task.finish()
    takeAwaited()?.continuation.resume(throwing: error ?? URLError(.unknown))
    body.finish(throwing: error)
  }
}
