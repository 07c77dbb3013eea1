package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Reads a discussion, and adds to it.
package struct CommentClient: Sendable {
  private let comments: URL
  private let clock: any Clock<Duration>
  private let variant: Variant
  private let load: @Sendable (URLRequest) async throws -> (Data, URLResponse)

  /// - Parameter load: sends a request, and gives its answer.
  package init(
    base: URL, clock: any Clock<Duration>, variant: Variant,
    load: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse)
  ) {
    (comments, self.clock, self.variant, self.load) = (base.appendingPathComponent("comments"), clock, variant, load)
  }

  /// All comments, one a line.
  package func all() async throws -> [String] {
    let text = try await send(URLRequest(url: comments))
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Adds a comment; the key tells it from others that say the same.
  package func add(_ comment: String, key: String) async throws {
    var request = URLRequest(url: comments)
    request.httpMethod = "POST"
    request.httpBody = Data(comment.utf8)
    // A server may have closed the kept connection while the request was on its way: with a key it can be sent again.
    if variant == .fixed { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
    _ = try await send(request)
  }

  private func send(_ request: URLRequest) async throws -> Data {
    let mayRepeat = request.httpMethod != "POST" || request.value(forHTTPHeaderField: "Idempotency-Key") != nil
    var backoff = Backoff()
    for _ in 1..<(mayRepeat ? 8 : 1) {
      do {
        return try await answer(to: request)
      } catch let error as URLError where error.code != .cancelled {
        try await clock.sleep(for: backoff.next())
      }
    }
    return try await answer(to: request)
  }

  private func answer(to request: URLRequest) async throws -> Data {
    let (data, response) = try await load(request)
    // The page of a captive portal is a 200, too.
    guard (response as? HTTPURLResponse)?.statusCode == 200, response.mimeType == "text/plain" else {
      throw URLError(.badServerResponse)
    }
    return data
  }
}
