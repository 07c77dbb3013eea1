import Foundation
import Internals
import NetworkConditions
import Testing

@testable import NetworkProxy

/// Requests to the proxy's own addresses, in every spelling.
struct OwnAddressTests {
  private static let spellings = [
    "127.0.0.1", "localhost", "LOCALHOST", "0x7f000001", "2130706433", "017700000001", "0177.1", "0x7f.1", "127.1",
    "127.0.1", "0", "0.0.0.0", "[::ffff:7f00:1]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:FFFF:7F00:0001]", "[::]",
  ]

  @Test(arguments: spellings)
  func `the proxy refuses requests to its own ports in every spelling of its address`(host: String) throws {
    let proxy = try NetworkProxy(.unlimited)
    defer { proxy.stop() }
    let places = [
      proxy.address, try proxy.openControl(), try proxy.forward(to: "127.0.0.1", port: 9),
    ]
    for port in places.map(\.port) {
      let tunnel = try Self.answer("CONNECT \(host):\(port) HTTP/1.1\r\n\r\n", from: proxy.address)
      #expect(tunnel.hasPrefix("HTTP/1.1 502 "), "\(host):\(port)")
      let fetch = try Self.answer("GET http://\(host):\(port)/netcond HTTP/1.1\r\n\r\n", from: proxy.address)
      #expect(fetch.hasPrefix("HTTP/1.1 508 "), "\(host):\(port)")
    }
  }

  @Test func `the port of a deleted forward is no longer the proxy's own`() throws {
    let proxy = try NetworkProxy(.unlimited)
    defer { proxy.stop() }
    let control = try proxy.openControl()
    let fields = "Host: \(control)\r\nConnection: close\r\n"
    let body = #"{"name": "db", "listen": "127.0.0.1:0", "upstream": "localhost:9"}"#
    let create = "POST /proxies HTTP/1.1\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let port = try #require(try Self.answer(create, from: control).firstMatch(of: #/127\.0\.0\.1:\d+/#)?.output)
    let fetch = "GET http://\(port)/ HTTP/1.1\r\nConnection: close\r\n\r\n"
    #expect(try Self.answer(fetch, from: proxy.address).hasPrefix("HTTP/1.1 508 "))
    _ = try Self.answer("DELETE /proxies/db HTTP/1.1\r\n\(fields)\r\n", from: control)
    #expect(try Self.answer(fetch, from: proxy.address).hasPrefix("HTTP/1.1 502 "))
  }

  @Test func `a forward to itself closes the connection without a reply`() throws {
    let proxy = try NetworkProxy(.unlimited)
    defer { proxy.stop() }
    let free = try Sockets.listen(on: .loopback())
    let port = Sockets.port(of: free)
    _ = close(free)
    let opened = try proxy.forward(from: .loopback(port: port), to: "0x7f.1", port: port)
    #expect(try Self.answer("hello", from: opened) == "")
  }

  @Test func `the proxy distinguishes its own address from other addresses with the same port`() throws {
    let other = try Sockets.listen(on: .loopback())
    defer { _ = close(other) }
    let port = Sockets.port(of: other)
    let own = ProxyBench(.unlimited).core
    own.ownAddresses = [1: SocketAddress(host: "127.0.0.2", port: port)!]
    #expect(!own.isOwn(.loopback(port: port)))
    #expect(own.isOwn(SocketAddress(host: "::ffff:127.0.0.2", port: port)!))
    own.ownAddresses = [1: SocketAddress(host: "::", port: port)!]
    for host in ["127.0.0.1", "127.0.0.2", "::ffff:127.0.0.1", "0.0.0.0", "::"] {
      #expect(own.isOwn(SocketAddress(host: host, port: port)!), "\(host)")
    }
    #expect(!own.isOwn(SocketAddress(host: "192.0.2.1", port: port)!))
    #expect(!own.isOwn(.loopback(port: port == 1 ? 2 : 1)))
  }

  @Test func `loopback addresses are recognised in every spelling`() {
    for host in ["127.0.0.1", "127.9.9.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"] {
      #expect(SocketAddress(host: host, port: 1)?.isLoopback == true, "\(host)")
    }
    for host in ["0.0.0.0", "::", "128.0.0.1", "::2", "::ffff:128.0.0.1", "::7f00:1"] {
      #expect(SocketAddress(host: host, port: 1)?.isLoopback == false, "\(host)")
    }
  }

  /// Connects to an address, sends these words, and returns the whole answer.
  static func answer(_ words: String, from address: SocketAddress) throws -> String {
    let socket = socket(address.isVersion6 ? AF_INET6 : AF_INET, SystemSocket.stream, 0)
    defer { _ = close(socket) }
    guard address.withSystemAddress({ connect(socket, $0, $1) }) == 0 else { throw POSIXError(.ECONNREFUSED) }
    let bytes = Array(words.utf8)
    _ = send(socket, bytes, bytes.count, SystemSocket.sendFlags)
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
    return String(decoding: answer, as: UTF8.self)
  }
}
