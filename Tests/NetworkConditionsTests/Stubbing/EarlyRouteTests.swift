import Testing
import URLLoading

@testable import NetworkConditions

struct EarlyRouteTests {
  @Test func `an early response comes from the first route that the request matches`() {
    let stub = StubTransport()
    stub.stub(.post, "/a", headers: ["Version": "2"], with: .status(413).early(afterBytes: 2))
    stub.stub(.post, "/a", with: .status(413).early(afterBytes: 1))
    func early(_ path: String, version: String? = nil) -> Int64? {
      var request = URLRequest(url: url("https://x.example\(path)"))
      request.httpMethod = "POST"
      request.setValue(version, forHTTPHeaderField: "Version")
      let whole = TransportRequest(request: request, body: .empty, occurrence: 1, time: .zero)
      return stub.earlyAnswer(to: whole)?.afterBytes
    }
    #expect(early("/a", version: "2") == 2 && early("/a") == 1 && early("/b") == nil)
    // Whether a body matches is known only at its end.
    stub.stub(.post, "/c", body: .text("x"), with: .status(201))
    stub.stub(.post, "/c", with: .status(413).early(afterBytes: 3))
    #expect(early("/c") == nil)
  }

  @Test func `an early response of a sequence has the sequence's delay added to its own`() throws {
    let own = StubResponse.status(413).early(afterBytes: 2).after(.seconds(1))
    let taken = try #require(PreparedAnswer(.sequence([own]).after(.seconds(2))).takeEarly())
    #expect(taken.afterBytes == 2 && taken.answer.delay == .seconds(3))
  }

  @Test func `an early sequence makes all its responses early`() throws {
    let answer = PreparedAnswer(.sequence([.status(413), .status(409).early(afterBytes: 2)]).early(afterBytes: 5))
    let bytes = [0, 1].map { _ in answer.takeEarly()?.afterBytes }
    #expect(bytes == [5, 5])
  }
}
