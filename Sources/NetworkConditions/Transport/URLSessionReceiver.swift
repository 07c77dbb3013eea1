import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands what a session receives to the replies that wait for it, piece by piece on the session's delegate queue.
final class URLSessionReceiver: NSObject, URLSessionDataDelegate, Sendable {
  private struct Call {
    let reply: any TransportReply
    var hasHead = false
  }

  private let calls = Mutex<[Int: Call]>([:])

  /// Has a task's answer go to a reply.
  func expect(_ reply: any TransportReply, for task: URLSessionTask) {
    calls.withLock { $0[task.taskIdentifier] = Call(reply: reply) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    give(response, of: dataTask)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    reply(of: dataTask)?.body(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Linux asks once the 401 has come in whole, and after the default handling never ends the task.
      if challenge.failureResponse != nil {
        end(task, error: nil)
        // To cancel waits for the session's queue, which may be waiting for this one.
        return DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
      }
    #endif
    // A 401 is handed on as it is, and TLS is judged as the system does.
    completionHandler(.performDefaultHandling, nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(task, error: error)
  }

  /// Ends a task's answer, unless that has been done.
  private func end(_ task: URLSessionTask, error: (any Error)?) {
    // On Linux a 3xx answer that leads nowhere is not announced: its head stands in the task, and its body is lost.
    if error == nil { give(task.response, of: task, isBodyLost: true) }
    guard let call = calls.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    if let error {
      call.reply.fail(URLError(native: error, behindHead: call.hasHead).naming(task.originalRequest?.url))
    } else if call.hasHead {
      call.reply.finish()
    } else {
      call.reply.fail(URLError(.badServerResponse).naming(task.originalRequest?.url))
    }
  }

  private func reply(of task: URLSessionTask) -> (any TransportReply)? {
    calls.withLock { $0[task.taskIdentifier]?.reply }
  }

  /// Gives the head, once.
  private func give(_ response: URLResponse?, of task: URLSessionTask, isBodyLost: Bool = false) {
    guard let response = response as? HTTPURLResponse, !response.isInterim else { return }
    let reply = calls.withLock { calls -> (any TransportReply)? in
      guard let call = calls[task.taskIdentifier], !call.hasHead else { return nil }
      calls[task.taskIdentifier]?.hasHead = true
      return call.reply
    }
    guard let reply else { return }
    var head = ResponseHead(decoded: response)
    if isBodyLost { head.remove("Content-Length") }
    reply.head(head)
  }
}

extension HTTPURLResponse {
  /// Whether another answer follows (RFC 9110, 15.2): on Linux such a response is announced like a final one.
  fileprivate var isInterim: Bool { (100..<200).contains(statusCode) && statusCode != 101 }
}

extension ResponseHead {
  /// The head of a response whose body the system has decoded already.
  init(decoded response: HTTPURLResponse) {
    self.init(response)
    guard let encoding = self["Content-Encoding"], encoding.lowercased() != "identity" else { return }
    remove("Content-Encoding")
    remove("Content-Length")
  }
}
