import Testing
import URLLoading

@testable import NetworkConditions

struct WireFormatTests {
  private func line(_ text: String) -> (URLRequest, RequestLine) {
    var request = URLRequest(url: url(text))
    request.setValue("yes", forHTTPHeaderField: "X-Own")
    var identities = RequestIdentities()
    return (request, RequestLine(request, identities: &identities))
  }

  @Test func `the size of an HTTP/1 request head counts its line, its fields and the session's fields`() {
    // The words of the line, 110 bytes of the session's fields, 20 bytes around the line, 4 in a field.
    let (request, line) = line("http://a.example/")
    #expect(WireFormat.requestHeadBytes(request, line) == 3 + 17 + 110 + 20 + 5 + 3 + 4)
  }

  @Test(arguments: [
    ("https://a.example", "/", "a.example"), ("https://a.example:443?a=1#end", "/?a=1", "a.example"),
    ("HTTPS://a.example:8443/b/c?d#e", "/b/c?d", "a.example:8443"),
  ])
  func `HTTP/2 request fields contain target, host and the session's missing fields`(
    text: String, target: String, authority: String
  ) {
    var (request, line) = line(text)
    request.setValue("me", forHTTPHeaderField: "User-Agent")
    request.setValue("close", forHTTPHeaderField: "Connection")
    let fields = WireFormat.requestFields(request, line)
    #expect(fields.first { $0.name == ":path" }?.value == target)
    #expect(fields.first { $0.name == ":authority" }?.value == authority)
    #expect(
      fields.dropFirst(4).map(\.name) == ["accept", "accept-encoding", "accept-language", "user-agent", "x-own"])
    #expect(fields.first { $0.name == "user-agent" }?.value == "me")
  }

  @Test func `the size of an HTTP/1 response head is that of its text`() {
    let head = ResponseHead(status: 200, headers: [HeaderField("Content-Length", "12"), HeaderField("A", "b")])
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nA: b\r\n\r\n"
    #expect(WireFormat.responseHeadBytes(head, version: .http1) == Int64(text.utf8.count))
    #expect(WireFormat.responseHeadBytes(head, version: .http3) == 10 + 14 + 2 + 3 + 2 + 3)
  }

  /// A measured head of nginx 1.22 had 127 bytes; its dates had one letter fewer.
  @Test func `an HTTP/2 response head is as long as one written by nginx`() {
    let date = "Thu, 26 Nov 2026 22:10:31 GMT"
    let fields = [
      ("Server", "nginx/1.22.1"), ("Date", date), ("Content-Type", "application/octet-stream"),
      ("Content-Length", "19600"), ("Last-Modified", date), ("ETag", "\"69277d17-4c90\""), ("Accept-Ranges", "bytes"),
      ("Connection", "keep-alive"),
    ]
    var head = ResponseHead(status: 200, headers: fields.map { HeaderField($0.0, $0.1) })
    #expect(WireFormat.responseHeadBytes(head, version: .http2) == 128)
    head.status = 418
    #expect(WireFormat.responseHeadBytes(head, version: .http2) == 132)
  }
}
