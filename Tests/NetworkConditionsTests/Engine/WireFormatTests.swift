import Testing
import URLLoading

@testable import NetworkConditions

@Suite struct WireFormatTests {
  private func requestBytes(_ text: String) -> Int64 {
    var request = URLRequest(url: url(text))
    request.setValue("yes", forHTTPHeaderField: "X-Own")
    var identities = RequestIdentities()
    return WireFormat.requestHeadBytes(request, RequestLine(request, identities: &identities))
  }

  @Test func `a request head has its line, its fields and those that every session adds`() {
    // The words of the line, 110 bytes of the session's fields, 20 or 16 bytes around the line, 4 or 3 in a field.
    #expect(requestBytes("http://a.example/") == 3 + 17 + 110 + 20 + 5 + 3 + 4)
    #expect(requestBytes("https://a.example/") == 3 + 18 + 110 + 16 + 5 + 3 + 3)
  }

  @Test func `a response head of HTTP 1 has as many bytes as its text`() {
    let head = ResponseHead(status: 200, headers: [HeaderField("Content-Length", "12"), HeaderField("A", "b")])
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nA: b\r\n\r\n"
    #expect(WireFormat.responseHeadBytes(head, version: .http1) == Int64(text.utf8.count))
    #expect(WireFormat.responseHeadBytes(head, version: .http2) == 10 + 14 + 2 + 3 + 2 + 3)
  }
}
