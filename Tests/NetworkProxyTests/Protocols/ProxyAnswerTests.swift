import Testing

@testable import NetworkProxy

struct ProxyAnswerTests {
  private func answer(_ line: String, _ fields: String = "", to method: String = "GET") throws -> ProxyAnswer? {
    let bytes = Array("\(line)\r\n\(fields)\r\n".utf8)
    return try HTTPHead(bytes[...], ofAnswer: true).map {
      try ProxyAnswer($0, bytes, to: method, closing: false, upgrades: false)
    }
  }

  @Test func `a response status must have three digits and be at least 100`() throws {
    for status in [100, 200, 599, 999] { #expect(try answer("HTTP/1.1 \(status) x")?.status == status) }
    for status in ["099", "000", "99", "1000", "-20", "2x0", ""] {
      #expect(throws: HTTPError("The first line is not an HTTP/1.1 response.")) { try answer("HTTP/1.1 \(status) x") }
    }
  }

  @Test func `responses to HEAD, interim responses, 204 and 304 have no body despite Content-Length`() throws {
    let length = "Content-Length: 5\r\n"
    #expect(try answer("HTTP/1.1 200 OK", length)?.framing == .length(5))
    #expect(try answer("HTTP/1.1 200 OK", length, to: "HEAD")?.framing == HTTPBodyFraming.none)
    for status in [100, 103, 204, 304] {
      #expect(try answer("HTTP/1.1 \(status) x", length)?.framing == HTTPBodyFraming.none)
    }
  }

  @Test func `a response without a length or final chunked coding ends with its connection`() throws {
    #expect(try answer("HTTP/1.1 200 OK")?.framing == .untilClose)
    #expect(try answer("HTTP/1.1 200 OK", "Transfer-Encoding: gzip\r\n")?.framing == .untilClose)
    #expect(try answer("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked\r\n")?.framing == .chunked)
    #expect(throws: HTTPError.self) { try answer("HTTP/1.1 200 OK", "Transfer-Encoding: chunked, chunked\r\n") }
    #expect(try answer("HTTP/1.1 200 OK", "Content-Length: 0\r\n")?.framing == HTTPBodyFraming.none)
  }

  @Test func `a connection is closed after a response in HTTP/1.0 or with Connection: close`() throws {
    let length = "Content-Length: 5\r\n"
    #expect(try answer("HTTP/1.1 200 OK", length)?.closes == false)
    #expect(try answer("HTTP/1.1 200 OK", "\(length)Connection: close\r\n")?.closes == true)
    #expect(try answer("HTTP/1.0 200 OK", length)?.closes == true)
  }
  @Test func `a first line that is not HTTP/1 with a status is refused`() {
    for line in ["HTTP/1.1", "HTTP/2 200 OK", "ICY 200 OK", "200 OK"] {
      #expect(throws: HTTPError.self, "\(line)") { try answer(line) }
    }
    #expect(throws: HTTPError("No other protocol was requested.")) { try answer("HTTP/1.1 101 x") }
  }

  @Test(arguments: [" folded", "\tfolded: value"])
  func `a field that is folded over two lines is refused by that name`(line: String) {
    // RFC 9112, section 5.2.
    #expect(throws: HTTPError("A field is folded over two lines.")) {
      try answer("HTTP/1.1 200 OK", "A: b\r\n\(line)\r\n")
    }
  }

  @Test func `an interim response has a status from 100 to 199 other than 101`() throws {
    #expect(try [100, 103, 199, 200].map { try answer("HTTP/1.1 \($0) x")?.isInterim } == [true, true, true, false])
    let bytes = Array("HTTP/1.1 101 x\r\n\r\n".utf8)
    let head = try #require(try HTTPHead(bytes[...], ofAnswer: true))
    let upgraded = try ProxyAnswer(head, bytes, to: "GET", closing: false, upgrades: true)
    #expect(!upgraded.isInterim && upgraded.framing == .untilClose)
  }

  @Test(arguments: [
    ("Content-Length: 5\r\nContent-Length: 5\r\n", "Content-Length: 5\r\n"),
    ("Content-Length: 5, 5\r\nA: b\r\n", "Content-Length: 5\r\nA: b\r\n"),
    ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\n"),
  ])
  func `a forwarded response has at most one Content-Length, and none if it is chunked`(fields: String, passed: String)
    throws
  {
    let forwarded = try #require(try answer("HTTP/1.1 200 OK", fields)).forwarded
    #expect(String(decoding: forwarded, as: UTF8.self) == "HTTP/1.1 200 OK\r\n\(passed)\r\n")
  }
}
