import Internals
import URLLoading

/// Passes what a session receives to the waiting replies, piece by piece on the session's delegate queue.
final class URLSessionReceiver: NSObject, URLSessionDataDelegate, Sendable {
  private struct Call {
    let reply: any TransportReply
    let meter: WireMeter
    var hasHead = false
    /// Whether the system decodes the body.
    var isEncoded = false
    var body = MeteredBody()
    /// The bytes that the task has received since its last pause began or ended.
    var bytes = 0
    /// How many of the two events that end a pause are still missing; 0 if the task is not paused.
    var missing = 0
  }

  /// A task pauses after receiving this many bytes, until its reply has room and all other sessions have had a turn.
  ///
  /// On Linux a task that receives at full speed occupies the queue that all sessions share, even for minutes.
  private static let pieceSize = 1 << 20
  /// The most bytes in a pause; more arrive only if a task cannot be paused, and would take too much memory.
  private static let mostInRest = 256 << 20

  private let calls = Mutex<[Int: Call]>([:])

  func expect(_ reply: any TransportReply, for task: URLSessionTask, meteredBy meter: WireMeter) {
    calls.withLock { $0[task.taskIdentifier] = Call(reply: reply, meter: meter) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    give(response, of: dataTask)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let taken = calls.withLock { calls -> (Call, Bool)? in
      guard var call = calls[dataTask.taskIdentifier] else { return nil }
      call.bytes += data.count
      let isDue = call.missing == 0 && call.bytes >= Self.pieceSize
      if isDue { (call.missing, call.bytes) = (2, 0) }
      calls[dataTask.taskIdentifier] = call
      return (call, isDue)
    }
    guard let (call, isDue) = taken else { return }
    if !call.isEncoded {
      call.reply.body(data)
    } else if calls.withLock({ $0[dataTask.taskIdentifier]?.body.append(data) }) == true {
      call.meter.read { [self] in handOn($0, of: dataTask) }
    }
    if isDue {
      dataTask.hold(in: session) { self.wake(dataTask) }
      call.reply.whenRoom { self.wake(dataTask) }
    } else if call.bytes > Self.mostInRest {
      let why = """
        The server is \(Self.mostInRest >> 20) MiB ahead of its client, and this version of Foundation cannot hold it \
        back: ask for less at a time, or use a faster profile.
        """
      end(dataTask, error: URLError(.dataLengthExceedsMaximum, Explanation.platformLimit.ending(why)))
      DispatchQueue.global().async { dataTask.cancel() }
    }
  }

  /// Notes one of the two events that end a task's pause, and resumes the task after both.
  private func wake(_ task: URLSessionTask) {
    let isOver = calls.withLock { calls in
      guard var call = calls[task.taskIdentifier] else { return false }
      call.missing -= 1
      if call.missing == 0 { call.bytes = 0 }
      calls[task.taskIdentifier] = call
      return call.missing == 0
    }
    if isOver { task.letGo() }
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
    if FoundationLimits.neverEnds(after: challenge) {
      end(task, error: nil)
      // Cancelling waits for the session's queue, which may be waiting for this one.
      return DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
    }
    // A 401 is passed on unchanged, and the system decides about TLS.
    completionHandler(.performDefaultHandling, nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(task, error: error)
  }

  /// Ends a task's answer, after all of its body was passed on; does nothing if it has ended.
  private func end(_ task: URLSessionTask, error: (any Error)?) {
    guard let call = call(of: task), call.isEncoded else { return complete(task, error: error) }
    call.meter.read { [self] count in
      handOn(count, of: task)
      complete(task, error: error)
    }
  }

  private func handOn(_ count: Int64?, of task: URLSessionTask) {
    guard let reply = call(of: task)?.reply else { return }
    for taken in calls.withLock({ $0[task.taskIdentifier]?.body.take(count) }) ?? [] {
      reply.body(taken.piece, encodedCount: taken.encodedCount)
    }
  }

  private func complete(_ task: URLSessionTask, error: (any Error)?) {
    // Linux does not announce a 3xx answer that leads nowhere. The task has its head, but its body is lost.
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

  private func call(of task: URLSessionTask) -> Call? {
    calls.withLock { $0[task.taskIdentifier] }
  }

  private func give(_ response: URLResponse?, of task: URLSessionTask, isBodyLost: Bool = false) {
    guard let response = response as? HTTPURLResponse, !response.isInterim else { return }
    var head = ResponseHead(response)
    if isBodyLost {
      head.remove("Content-Length")
      head.remove("Content-Encoding")
    } else {
      // RFC 9112, 6.3. HTTP/2 has neither field; the simulation then uses HTTP/2, where this property has no effect.
      head.endsWithConnection = head["Content-Length"] == nil && head["Transfer-Encoding"] == nil
    }
    let reply = calls.withLock { calls -> (any TransportReply)? in
      guard let call = calls[task.taskIdentifier], !call.hasHead else { return nil }
      calls[task.taskIdentifier]?.hasHead = true
      calls[task.taskIdentifier]?.isEncoded = head.isEncoded
      return call.reply
    }
    reply?.head(head)
  }
}

extension HTTPURLResponse {
  /// Whether another answer follows (RFC 9110, 15.2); Linux announces such a response like a final one.
  fileprivate var isInterim: Bool { (100..<200).contains(statusCode) && statusCode != 101 }
}
