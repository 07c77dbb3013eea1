import Internals
import URLLoading

/// A session's delegate: keeps the head, passes the body on piece by piece, and waits for the end.
final class TransferDelegate: NSObject, URLSessionDataDelegate {
  struct Result: Sendable {
    var response: HTTPURLResponse?
    var bytes: Int64 = 0
    var error: (any Error)?
  }

  private struct State {
    var result = Result()
    var isOver = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let willReceive: @Sendable (HTTPURLResponse) -> Void
  private let receive: @Sendable (Data) throws -> Void

  /// Creates a delegate that calls the closures on the session's queue, one at a time.
  init(
    willReceive: @escaping @Sendable (HTTPURLResponse) -> Void, receive: @escaping @Sendable (Data) throws -> Void
  ) {
    self.willReceive = willReceive
    self.receive = receive
  }

  func end() async -> Result {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiter = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
    return state.withLock { $0.result }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse {
      state.withLock { $0.result.response = response }
      willReceive(response)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard state.withLock({ $0.result.error == nil }) else { return }
    do {
      try receive(data)
      state.withLock { $0.result.bytes += Int64(data.count) }
    } catch {
      state.withLock { $0.result.error = error }
      dataTask.cancel()
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let waiter = state.withLock { state in
      // An error of the output came first, and caused the cancellation.
      if state.result.error == nil { state.result.error = error }
      state.isOver = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
