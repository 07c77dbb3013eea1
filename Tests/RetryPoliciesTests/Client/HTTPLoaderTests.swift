import Internals
import Testing
import URLLoading

extension RetryPoliciesTests {
  struct HTTPLoaderTests {
    /// Answers with the request's own body.
    private struct Echo: HTTPLoader {
      func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        let response = URLResponse(url: request.url!, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        return (request.httpBody ?? Data("none".utf8), response)
      }
    }

    @Test func `a loader with one method also uploads bodies and files, and reads bodies in chunks`() async throws {
      let url = URL(string: "https://example.com/echo")!
      #expect(try await Echo().data(from: url).0 == Data("none".utf8))
      let body = Data("hello".utf8)
      #expect(try await Echo().upload(for: URLRequest(url: url), from: body).0 == body)
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try body.write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(try await Echo().upload(for: URLRequest(url: url), fromFile: file).0 == body)
      var request = URLRequest(url: url)
      for sent in [body, Data()] {
        request.httpBody = sent
        let chunks = try await Echo().chunks(for: request).0.reduce(into: []) { $0.append($1) }
        #expect(chunks == [sent].filter { !$0.isEmpty })
      }
    }
  }
}
