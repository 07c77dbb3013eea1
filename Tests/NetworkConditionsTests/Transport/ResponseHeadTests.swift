import Testing

@testable import NetworkConditions

@Suite struct ResponseHeadTests {
  @Test(
    arguments: [(nil, false), ("", false), ("identity", false), ("Identity", false), ("gzip", true), ("br", true)]
      as [(String?, Bool)])
  func `a body is another on the wire only under a coding that changes it`(coding: String?, isEncoded: Bool) {
    let fields = coding.map { [HeaderField("content-encoding", $0)] } ?? []
    #expect(ResponseHead(status: 200, headers: fields).isEncoded == isEncoded)
  }

  @Test func `of several fields with one name the last counts, but every cookie is kept`() {
    var head = ResponseHead(status: 200, headers: [HeaderField("A", "1"), HeaderField("B", "2")])
    head.set([
      HeaderField("a", "3"), HeaderField("Set-Cookie", "x"), HeaderField("A", "4"), HeaderField("set-cookie", "y"),
    ])
    let fields = [("B", "2"), ("Set-Cookie", "x"), ("A", "4"), ("set-cookie", "y")]
    #expect(head.headers == fields.map { HeaderField($0.0, $0.1) })
  }
}
