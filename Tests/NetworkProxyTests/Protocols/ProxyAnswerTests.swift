import Testing

@testable import NetworkProxy

@Suite struct ProxyAnswerTests {
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
    #expect(try answer("HTTP/1.1 200 OK", "Content-Length: 0\r\n")?.framing == HTTPBodyFraming.none)
  }
}
