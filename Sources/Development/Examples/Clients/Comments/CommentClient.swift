package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Reads the comments of a discussion and adds to them.
package struct CommentClient: Sendable {
  private let comments: URL
  private let clock: any Clock<Duration>
  private let variant: Variant
  private let load: @Sendable (URLRequest) async throws -> (Data, URLResponse)

  /// - Parameter load: sends a request and returns its response.
  package init(
    base: URL, clock: any Clock<Duration>, variant: Variant,
    load: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse)
  ) {
    (comments, self.clock, self.variant, self.load) = (base.appendingPathComponent("comments"), clock, variant, load)
  }

  /// All comments, one per line of the response.
  package func all() async throws -> [String] {
    let text = try await send(URLRequest(url: comments))
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Adds a comment; its key distinguishes it from comments with the same text.
  package func add(_ comment: String, key: String) async throws {
    var request = URLRequest(url: comments)
    request.httpMethod = "POST"
    request.httpBody = Data(comment.utf8)
    // The server may close the kept connection while the request is in flight: with a key, the request can be repeated.
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
    // A captive portal's page also has status 200.
    guard (response as? HTTPURLResponse)?.statusCode == 200, response.mimeType == "text/plain" else {
      throw URLError(.badServerResponse)
    }
    return data
  }
}
