import Foundation
import Internals

struct ControlRequest {
  static let longest = 1 << 20

  let method: String
  /// The components of the path, percent-decoded.
  let path: [String]
  let fields: HTTPFields
  let host: String
  let body: [UInt8]

  init?(_ head: HTTPHead, _ input: [UInt8]) throws(HTTPError) {
    let parts = head.firstLine.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].hasPrefix("HTTP/1."), parts[1].hasPrefix("/") else {
      throw HTTPError("The first line is not an HTTP/1.1 request.")
    }
    method = String(parts[0])
    path = parts[1].prefix { $0 != "?" }.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    fields = head.fields
    // Two `Host` fields, or none, are ambiguous (RFC 9112, section 3.2).
    guard let host = fields["host"].first, fields["host"].count == 1 else {
      throw HTTPError("The request has no Host, or more than one; send one, such as 127.0.0.1.")
    }
    self.host = host
    let framing = try HTTPBodyFraming(ofRequest: head.fields, isOld: parts[2] == "HTTP/1.0")
    var reader = HTTPBodyReader(framing)
    if case .length(let count) = framing, count > Self.longest {
      throw HTTPError("The body is longer than 1 MiB.", status: 413)
    }
    var found: Int?
    let rest = Array(input[head.byteCount...])
    let outcome = rest.withUnsafeBytes { bytes in
      Result { () throws(HTTPError) in try reader.take(bytes, found: &found) }
    }
    let count = try outcome.get()
    guard count <= Self.longest else { throw HTTPError("The body is longer than 1 MiB.", status: 413) }
    guard reader.isDone else { return nil }
    byteCount = head.byteCount + count
    body = framing == .chunked ? Self.joined(rest[..<count]) : Array(rest[..<count])
  }

  let byteCount: Int

  private static func joined(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var content: [UInt8] = []
    var rest = bytes
    while let line = rest.firstIndex(of: 10) {
      let digits = rest[..<line].prefix { Character(UnicodeScalar($0)).isHexDigit }
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size > 0, size <= rest.count else {
        break
      }
      rest = rest[(line + 1)...]
      content += rest.prefix(size)
      rest = rest.dropFirst(size).drop { $0 == 13 }.dropFirst()
    }
    return content
  }
}

struct ControlAnswer {
  var status: Int
  var type = "application/json"
  var body: [UInt8] = []

  init(status: Int = 200, text: String) {
    self.status = status
    type = "text/plain; charset=utf-8"
    body = Array(text.utf8)
  }

  init(status: Int = 200, json: String) {
    self.status = status
    body = Array(json.utf8)
  }

  static let empty = ControlAnswer(status: 204, text: "")
}

extension ProxyCore {
  func listenToControl(_ connection: ProxyConnection, _ head: HTTPHead) throws(HTTPError) {
    guard let request = try ControlRequest(head, connection.input) else { return }
    connection.input.removeFirst(request.byteCount)
    connection.deadline = uptime + Self.patience
    let answer = control(request)
    let closes = head.fields.elements(of: "connection").contains("close") || head.firstLine.hasSuffix("1.0")
    var text = "HTTP/1.1 \(answer.status) \(ReasonPhrase.of(answer.status) ?? "Status")\r\n"
    text += "X-Toxiproxy-Request-Id: \(connection.number)-\(connection.exchangeCount)\r\n"
    if answer.status != 204 { text += "Content-Type: \(answer.type)\r\nContent-Length: \(answer.body.count)\r\n" }
    let body = request.method == "HEAD" ? [] : answer.body
    tell(connection, Array((text + (closes ? "Connection: close\r\n" : "") + "\r\n").utf8) + body)
    if closes { return leave(connection) }
    connection.exchangeCount += 1
    if connection.input.isEmpty { connection.deadline = nil } else { listen(connection) }
  }
}
