import FormatFuzzing
import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import NetworkProxy

/// Mangled requests, greetings and API calls over real sockets: a proxy must respond or close, and continue.
enum MangledInput {
  /// A client's bytes before mutation, with a part that every mutation keeps: the server's address, so that no other
  /// machine is contacted, or the single proxy's name, so that thousands of proxies are not opened.
  private struct Beginning {
    var bytes: [UInt8]
    var kept: [UInt8]
    var isControl = false

    init(_ text: String, keeping kept: String) {
      (bytes, self.kept) = (Array(text.utf8), Array(kept.utf8))
    }

    init(call line: String, _ body: String) {
      self.init(
        "\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", keeping: #""db""#)
      isControl = true
    }

    init(bytes: [UInt8], keeping kept: [UInt8]) {
      (self.bytes, self.kept) = (bytes, kept)
    }

    /// The first mutation with this number that still contains the kept part.
    func mangled(_ number: Int) -> [UInt8] {
      (0...).lazy.map { Mutation.of([bytes], number: number, seed: $0) }.first { $0.firstRange(of: kept) != nil }!
    }
  }

  private static func beginnings(_ port: UInt16) -> [Beginning] {
    let (host, number) = ("127.0.0.1", [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)])
    let get = "GET /status/200 HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    let chunks = "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    let (local, address) = ("//\(host):\(port)/", Array(host.utf8) + number)
    return [
      Beginning("GET http:\(local)status/200 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", keeping: local),
      Beginning("PUT http:\(local)status/201 HTTP/1.1\r\nHost: a\r\n\(chunks)", keeping: local),
      Beginning("CONNECT \(host):\(port) HTTP/1.1\r\nHost: a\r\n\r\n\(get)", keeping: " \(host):\(port) "),
      Beginning(bytes: [5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1] + number + Array(get.utf8), keeping: [1, 127, 0, 0, 1]),
      Beginning(bytes: [5, 2, 0, 2, 5, 1, 0, 3, 9] + address + Array(get.utf8), keeping: [9] + address),
      Beginning(call: "POST /proxies", #"{"name": "db", "listen": "127.0.0.1:0", "upstream": "127.0.0.1:\#(port)"}"#),
      Beginning(
        call: "POST /proxies/db/toxics", #"{"name": "db", "type": "latency", "attributes": {"latency": 5}}"#),
      Beginning(call: "PATCH /proxies/db", #"{"name": "db", "enabled": false}"#),
      Beginning(
        call: "POST /populate", #"[{"name": "db", "listen": "127.0.0.1:0", "upstream": "127.0.0.1:\#(port)"}]"#),
      Beginning(call: "POST /netcond/profile", #"{"name": "db", "down": {"rate": "1 Mbit/s", "delay": "5 ms"}}"#),
      Beginning(call: "DELETE /proxies/db/toxics/db", #""db""#),
    ]
  }

  static func run(_ port: UInt16) throws {
    let (proxy, controlled) = (try NetworkProxy(.unlimited), try NetworkProxy(.unlimited))
    defer {
      proxy.stop()
      controlled.stop()
    }
    let control = try controlled.openControl()
    let beginnings = beginnings(port)
    let (count, batch) = (100_000, 200)
    var left = 0
    let time = try timed {
      for first in stride(from: 0, to: count, by: batch) {
        let said = (first..<first + batch).map { index in
          let beginning = beginnings[index % beginnings.count]
          let port = beginning.isControl ? control.port : UInt16(proxy.port)
          return (port, beginning.mangled(index))
        }
        left += try Downloads.unanswered(said)
      }
    }.seconds
    let request = "GET http://127.0.0.1:\(port)/bytes/1000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    let whole = try Downloads.run(100, port: UInt16(proxy.port), request, bytes: 1_000).whole
    let isControlled = try Downloads.unanswered([(control.port, Array("GET /version HTTP/1.0\r\n\r\n".utf8))]) == 0
    report(
      "\(count) mangled requests, greetings and calls of the API",
      "\(left) without an answer or an end, \(time.fixed(0)) s; then \(whole) of 100 downloads are whole, and the API "
        + (isControlled ? "answers" : "is silent"), goal: "none, and all")
  }
}
