import Foundation
import Internals
import LoopbackServer

/// Opens many connections to one local port from one thread.
enum Downloads {
  /// Sends the request on `count` connections at once and compares every body byte with the server's.
  static func run(_ count: Int, port: UInt16, _ request: String, bytes: Int) throws -> (
    whole: Int, damaged: Int, seconds: Double
  ) {
    SystemSocket.raiseDescriptorLimit()
    let start = seconds()
    var sockets = try (0..<count).map { _ in
      pollfd(fd: try connected(port, request.utf8), events: Int16(POLLIN), revents: 0)
    }
    var bodies = [Body](repeating: Body(), count: count)
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var open = count
    while open > 0 {
      guard poll(&sockets, nfds_t(count), 60_000) > 0 else { break }
      for place in sockets.indices where sockets[place].revents != 0 {
        let got = recv(sockets[place].fd, &buffer, buffer.count, 0)
        if got > 0 { bodies[place].take(buffer[..<got]) }
        if got > 0, bodies[place].count < bytes { continue }
        close(sockets[place].fd)
        sockets[place].fd = -1
        open -= 1
      }
    }
    for socket in sockets where socket.fd >= 0 { close(socket.fd) }
    let whole = bodies.count { $0.isTrue && $0.count == bytes }
    return (whole, count - whole, seconds() - start)
  }

  /// A body that arrives in pieces.
  private struct Body {
    private(set) var count = 0
    private(set) var isTrue = true
    private var isHeadOver = false
    private var head: [UInt8] = []

    mutating func take(_ bytes: ArraySlice<UInt8>) {
      if isHeadOver { return compare(bytes) }
      head += bytes
      let text = Data(head)
      guard let end = text.range(of: Data("\r\n\r\n".utf8)) else { return }
      isHeadOver = true
      if !text.starts(with: Data("HTTP/1.1 200".utf8)) { isTrue = false }
      compare(head[end.upperBound...])
      head = []
    }

    private mutating func compare(_ bytes: ArraySlice<UInt8>) {
      guard !bytes.isEmpty else { return }
      let place = count % Behaviour.patternPeriod
      isTrue =
        isTrue
        && bytes.withUnsafeBytes { got in
          Behaviour.pattern.withUnsafeBytes { memcmp(got.baseAddress!, $0.baseAddress! + place, got.count) == 0 }
        }
      count += bytes.count
    }
  }

  /// Opens `count` connections that stay open, and waits until each has a response.
  static func tunnels(_ count: Int, port: UInt16, _ request: String) throws -> [Int32] {
    SystemSocket.raiseDescriptorLimit()
    var sockets: [Int32] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while sockets.count < count {
      let batch = try (0..<min(500, count - sockets.count)).map { _ in try connected(port, request.utf8) }
      for socket in batch where recv(socket, &buffer, buffer.count, 0) <= 0 { throw CocoaError(.fileReadUnknown) }
      sockets += batch
    }
    return sockets
  }

  /// Sends bytes on many connections at once and closes the sending sides; returns how many are open after 10 s.
  static func unanswered(_ said: [(port: UInt16, bytes: [UInt8])]) throws -> Int {
    var sockets = try said.map { port, bytes in
      let socket = try connected(port, bytes)
      shutdown(socket, Int32(SHUT_WR))
      return pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var open = sockets.count
    let start = seconds()
    while open > 0, seconds() - start < 10 {
      guard poll(&sockets, nfds_t(sockets.count), 10_000) > 0 else { break }
      for place in sockets.indices where sockets[place].revents != 0 {
        if recv(sockets[place].fd, &buffer, buffer.count, 0) > 0 { continue }
        close(sockets[place].fd)
        sockets[place].fd = -1
        open -= 1
      }
    }
    for socket in sockets where socket.fd >= 0 { close(socket.fd) }
    return open
  }

  /// Opens a connection and sends the request.
  private static func connected(_ port: UInt16, _ request: some Collection<UInt8>) throws -> Int32 {
    let socket = try socket(port: port) { connect($0, $1, $2) }
    _ = request.withContiguousStorageIfAvailable { send(socket, $0.baseAddress, $0.count, SystemSocket.sendFlags) }
    return socket
  }

  /// Makes a socket and binds or connects it to a port of 127.0.0.1.
  static func socket(
    port: UInt16, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    let socket = Foundation.socket(AF_INET, SystemSocket.stream, 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard socket >= 0, status == 0 else { throw CocoaError(.fileReadUnknown) }
    return socket
  }
}
