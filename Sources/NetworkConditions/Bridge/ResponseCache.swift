import Internals
import URLLoading

/// Keeps the last `URLResponse` of each URL.
///
/// Making one costs Foundation more than simulating a whole canned answer. A response never changes, so equal heads
/// share one.
final class ResponseCache: Sendable {
  static let process = ResponseCache()

  private static let limit = 64
  private struct Entry {
    var head: ResponseHead
    var response: URLResponse
  }
  private let entries = Mutex<[String: Entry]>([:])

  func response(_ head: ResponseHead, for url: URL) -> URLResponse {
    let key = url.absoluteString
    let known = entries.withLock { entries in
      entries[key].flatMap { $0.head == head ? $0.response : nil }
    }
    if let known { return known }
    let response = head.response(for: url)
    entries.withLock { entries in
      if entries.count >= Self.limit { entries = [:] }
      entries[key] = Entry(head: head, response: response)
    }
    return response
  }
}
