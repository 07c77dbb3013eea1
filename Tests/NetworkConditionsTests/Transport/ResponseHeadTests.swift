import Testing
import URLLoading

@testable import NetworkConditions

struct ResponseHeadTests {
  @Test(
    arguments: [(nil, false), ("", false), ("identity", false), ("Identity", false), ("gzip", true), ("br", true)]
      as [(String?, Bool)])
  func `a body counts as encoded only under a coding other than identity`(coding: String?, isEncoded: Bool) {
    let fields = coding.map { [HeaderField("content-encoding", $0)] } ?? []
    #expect(ResponseHead(status: 200, headers: fields).isEncoded == isEncoded)
  }

  @Test func `setting a header field replaces fields with its name, except Set-Cookie`() {
    var head = ResponseHead(status: 200, headers: [HeaderField("A", "1"), HeaderField("B", "2")])
    head.set([
      HeaderField("a", "3"), HeaderField("Set-Cookie", "x"), HeaderField("A", "4"), HeaderField("set-cookie", "y"),
    ])
    let fields = [("B", "2"), ("Set-Cookie", "x"), ("A", "4"), ("set-cookie", "y")]
    #expect(head.headers == fields.map { HeaderField($0.0, $0.1) })
  }

  @Test func `header fields whose names differ only in case reach the client as one field`() throws {
    let head = ResponseHead(headers: [HeaderField("Vary", "a"), HeaderField("B", "b"), HeaderField("vary", "c")])
    let response = try #require(head.response(for: url("https://notes.test/")) as? HTTPURLResponse)
    #expect(response.value(forHTTPHeaderField: "VARY") == "a, c")
    #expect(response.allHeaderFields.count == 2)
  }
}
