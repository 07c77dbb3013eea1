import Internals
import URLLoading

/// A fake server of one file, which breaks off by a script and supports ranges (RFC 9110, section 14).
final class FakeFile: HTTPLoader {
  /// How the server replies to one request.
  enum Reply: Sendable {
    /// The requested bytes, with an error after `until` of them; `nil` means no error.
    case bytes(until: Int? = nil)
    /// The same, but the server ignores ranges and sends the whole file.
    case whole(until: Int? = nil)
    /// A status and its headers, with the status as the body.
    case status(Int, [String: String] = [:])
  }
  private struct State {
    var replies: [Reply]
    var tags: [String?]
    var asked: [String] = []
  }
  let versions: [Data]
  private let state: Mutex<State>

  /// - Parameters:
  ///   - versions: the file's content at each request; the last one is repeated.
  ///   - tags: the tag of each version.
  ///   - replies: the reply to each request; the last one is repeated.
  init(_ versions: [String], tags: [String?], _ replies: Reply...) {
    self.versions = versions.map { Data($0.utf8) }
    state = Mutex(State(replies: replies, tags: tags))
  }

  /// The `Range` and `If-Range` of each request; `-` if missing.
  var asked: [String] { state.withLock(\.asked) }

  func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    let (chunks, response) = try await chunks(for: request)
    return (try await chunks.reduce(into: Data()) { $0.append($1) }, response)
  }

  func chunks(for request: URLRequest) async throws -> (AsyncThrowingStream<Data, any Error>, URLResponse) {
    let range = request.value(forHTTPHeaderField: "Range")
    let condition = request.value(forHTTPHeaderField: "If-Range")
    let (reply, body, tag) = state.withLock { state in
      let turn = state.asked.count
      state.asked.append("\(range ?? "-") \(condition ?? "-")")
      return (
        state.replies[min(turn, state.replies.count - 1)], versions[min(turn, versions.count - 1)],
        state.tags[min(turn, state.tags.count - 1)]
      )
    }
    var headers = ["ETag": tag].compactMapValues(\.self)
    let start = range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
    switch reply {
    case .status(let status, let more):
      return answer(status, more, Data("\(status)".utf8), until: nil, request)
    case .whole(let end): return answer(200, headers, body, until: end, request)
    case .bytes(let end):
      guard range != nil, condition == tag else { return answer(200, headers, body, until: end, request) }
      headers["Content-Range"] =
        start < body.count ? "bytes \(start)-\(body.count - 1)/\(body.count)" : "bytes */\(body.count)"
      guard start < body.count else { return answer(416, headers, Data(), until: nil, request) }
      return answer(206, headers, body.dropFirst(start), until: end, request)
    }
  }

  private func answer(
    _ status: Int, _ headers: [String: String], _ body: Data, until end: Int?, _ request: URLRequest
  ) -> (AsyncThrowingStream<Data, any Error>, URLResponse) {
    let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    // In pieces of two bytes.
    let bytes = Array(body.prefix(end ?? body.count))
    for place in stride(from: 0, to: bytes.count, by: 2) {
      continuation.yield(Data(bytes[place..<min(place + 2, bytes.count)]))
    }
    continuation.finish(throwing: end == nil ? nil : URLError(.networkConnectionLost))
    let response = HTTPURLResponse(url: request.url!, statusCode: status, httpVersion: nil, headerFields: headers)!
    return (stream, response)
  }
}
