import NetworkConditions
import Testing
import URLLoading

struct AnswerTests {
  /// How many bytes a client gets of an answer with a wrong Content-Length, or the error's code.
  private static func bytes(_ length: Int, method: String = "GET") async throws -> (count: Int?, code: URLError.Code?) {
    try await Simulation("3G", seed: 1) { network in
      network.stub("/**", with: .text("hello").header("Content-Length", "\(length)"))
      var request = URLRequest(url: url("http://x.example/"))
      request.httpMethod = method
      do {
        return (try await network.session.data(for: request).0.count, nil)
      } catch let error as URLError {
        return (nil, error.code)
      }
    }.value
  }

  @Test func `a client receives at most Content-Length bytes of a response`() async throws {
    #expect(try await Self.bytes(3) == (3, nil))
    #expect(try await Self.bytes(5) == (5, nil))
  }

  @Test func `a response shorter than its Content-Length fails as a lost connection`() async throws {
    #expect(try await Self.bytes(6) == (nil, .networkConnectionLost))
  }

  @Test func `a response to HEAD has no body whatever its Content-Length`() async throws {
    #expect(try await Self.bytes(5, method: "HEAD") == (0, nil))
  }
}
