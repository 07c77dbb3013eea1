import Foundation
import Testing

@testable import LoopbackServer

struct LoopbackServerTests {
  /// Sends text over one connection, and returns all bytes until the connection closes.
  static func exchange(_ text: String, port: Int) throws -> Data {
    let socket = try Socket.connected(port: UInt16(port))
    #expect(socket.write(text))
    var result = Data()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = buffer.withUnsafeMutableBytes { socket.read(into: $0) }
      guard count > 0 else { return result }
      result.append(contentsOf: buffer[..<count])
    }
  }

  @Test func `a server answers several requests over one connection`() throws {
    let server = try LoopbackServer()
    let request = "GET /bytes/5 HTTP/1.1\r\nHost: x\r\n\r\n"
    let answer = try Self.exchange(request + request + "GET /close HTTP/1.1\r\n\r\n", port: server.port)
    let head = Data("HTTP/1.1 200 Status\r\nContent-Length: 5\r\n\r\n".utf8)
    let expected = head + Behaviour.bytes(first: 5) + head + Behaviour.bytes(first: 5)
    #expect(answer == expected)
    #expect(server.requests.map(\.path) == ["/bytes/5", "/bytes/5", "/close"])
    #expect(server.connectionCount == 1)
    server.stop()
    #expect(server.openConnectionCount == 0)
  }

  @Test func `a body of ten megabytes arrives with the expected bytes`() throws {
    let server = try LoopbackServer { _ in .bytes(10_000_000) }
    let answer = try Self.exchange("GET / HTTP/1.1\r\n\r\nBAD\r\n", port: server.port)
    #expect(answer.suffix(10_000_000) == Behaviour.bytes(first: 10_000_000))
  }

  @Test func `the server's hash of an upload is the same with and without chunked encoding`() throws {
    let server = try LoopbackServer { _ in .close }
    let body = String(repeating: "abcdefg", count: 1_000)
    _ = try Self.exchange("PUT /a HTTP/1.1\r\nContent-Length: 7000\r\n\r\n" + body, port: server.port)
    let chunked = "3\r\nabc\r\n" + "1b55\r\n" + body.dropFirst(3) + "\r\n0\r\n\r\n"
    _ = try Self.exchange("PUT /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked, port: server.port)
    #expect(server.requests.map(\.bodyHash) == Array(repeating: BodyHash(Data(body.utf8)), count: 2))
    #expect(server.requests[0].body == Data(body.utf8))
  }

  @Test func `stopping a server closes its held, stalled and idle connections and frees its port`() throws {
    let server = try LoopbackServer()
    let sockets = try ["/held/1", "/stalled/1/10", "/bytes/0"].map { path in
      let socket = try Socket.connected(port: UInt16(server.port))
      #expect(socket.write("GET \(path) HTTP/1.1\r\n\r\n"))
      return socket
    }
    server.waitForRequests(3)
    server.waitForHeld(2)
    server.stop()
    server.stop()
    #expect(server.openConnectionCount == 0)
    #expect(throws: SocketError.self) { try Socket.connected(port: UInt16(server.port)) }
    withExtendedLifetime(sockets) {}
  }

  @Test func `a connection to a refusing port is refused`() throws {
    let port = try LoopbackServer.refusingPort()
    #expect(throws: SocketError.self) { try Socket.connected(port: UInt16(port)) }
  }

  @Test func `writing to a client that has disconnected does not end the process`() throws {
    let server = try LoopbackServer { _ in .held(.bytes(50_000_000)) }
    let socket = try Socket.connected(port: UInt16(server.port))
    #expect(socket.write("GET / HTTP/1.1\r\n\r\n"))
    server.waitForHeld(1)
    socket.reset()
    server.release()
    server.stop()
  }

  @Test func `the hash of a body does not depend on how the body is split`() {
    let data = Behaviour.bytes(first: 1_003)
    for size in [1, 3, 8, 13, 500] {
      var hash = BodyHash()
      for start in stride(from: 0, to: data.count, by: size) {
        Data(data.dropFirst(start).prefix(size)).withUnsafeBytes { hash.add($0) }
      }
      #expect(hash.description == BodyHash(data).description)
    }
    #expect(BodyHash(data).description != BodyHash(data + Data([0])).description)
  }
}
