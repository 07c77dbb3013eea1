package import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// A response: all of it, or the part that arrived before it was cut.
package struct Part: Sendable {
  package var response: HTTPURLResponse?
  package var body = Data()
  package var error: URLError?
}

/// Receives bodies piece by piece: only a delegate keeps the bytes that arrived before a cut.
package final class PartReceiver: NSObject, URLSessionDataDelegate, Sendable {
  private struct Receiving {
    var part = Part()
    let continuation: CheckedContinuation<Part, Never>
  }
  private let receiving = Mutex<[Int: Receiving]>([:])

  /// Sends a request and returns when its response is complete or cut.
  package func part(for request: URLRequest, in session: URLSession) async -> Part {
    let task = session.dataTask(with: request)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        receiving.withLock { $0[task.taskIdentifier] = Receiving(continuation: continuation) }
        task.resume()
        if Task.isCancelled { task.cancel() }
      }
    } onCancel: {
      // Before the continuation is registered, its completion would be lost.
      if receiving.withLock({ $0[task.taskIdentifier] != nil }) { task.cancel() }
    }
  }

  package func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    receiving.withLock { $0[dataTask.taskIdentifier]?.part.response = response as? HTTPURLResponse }
    completionHandler(.allow)
  }

  package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    receiving.withLock { $0[dataTask.taskIdentifier]?.part.body.append(data) }
  }

  package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard var ended = receiving.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    ended.part.error = error.map { $0 as? URLError ?? URLError(.unknown) }
    ended.continuation.resume(returning: ended.part)
  }
}
