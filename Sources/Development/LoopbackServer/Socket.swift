import Foundation
import Internals

/// A POSIX error and the call that failed.
package struct SocketError: Error, CustomStringConvertible {
  package let call: String
  package let code: Int32

  init(_ call: String) {
    self.call = call
    code = errno
  }

  package var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// A TCP socket on the loopback address; closing it twice, even from two threads, is safe.
final class Socket: Sendable {
  let descriptor: Int32
  private let isOpen = Mutex(true)

  init(descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    SystemSocket.silence(descriptor)
  }

  deinit {
    close()
  }

  /// Listens on a free port of 127.0.0.1.
  static func listening(backlog: Int32 = 4_096) throws -> Socket {
    let socket = try made("bind", port: 0) { bind($0, $1, $2) }
    guard listen(socket.descriptor, backlog) == 0 else { throw SocketError("listen") }
    return socket
  }

  static func connected(port: UInt16) throws -> Socket {
    try made("connect", port: port) { connect($0, $1, $2) }
  }

  /// Makes a socket and binds or connects it to a port of 127.0.0.1.
  private static func made(
    _ name: String, port: UInt16, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Socket {
    let descriptor = socket(AF_INET, SystemSocket.stream, 0)
    guard descriptor >= 0 else { throw SocketError("socket") }
    let result = Socket(descriptor: descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw SocketError(name) }
    return result
  }

  var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return status == 0 ? UInt16(bigEndian: address.sin_port) : 0
  }

  /// Accepts the next connection; `nil` after the socket was shut down.
  func accept() -> Socket? {
    while true {
      let next = Foundation.accept(descriptor, nil, nil)
      if next >= 0 {
        let socket = Socket(descriptor: next)
        socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        return socket
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// Reads up to `buffer.count` bytes; returns 0 at the end or on an error.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count >= 0 { return count }
      guard errno == EINTR else { return 0 }
    }
  }

  /// Writes all bytes; `false` if the connection is gone.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = send(descriptor, bytes.baseAddress! + offset, bytes.count - offset, SystemSocket.sendFlags)
      if count > 0 {
        offset += count
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }

  func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Wakes blocked reads and writes; the descriptor stays open until `close`.
  func shutdown() {
    isOpen.withLock { isOpen in
      if isOpen { _ = Foundation.shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Closes the sending side; reading still works.
  func end() {
    _ = Foundation.shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes with a reset.
  func reset() {
    set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    close()
  }

  func close() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      isOpen = false
      _ = Foundation.close(descriptor)
    }
  }

  /// Waits for data or a close from the peer, up to `milliseconds`; `true` if either came.
  func waitForReading(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) != 0
  }

  /// The number of written bytes that are not acknowledged.
  var unsentBytes: Int32 {
    var count: Int32 = 0
    #if canImport(Darwin)
      var size = socklen_t(MemoryLayout<Int32>.size)
      _ = getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size)
    #else
      _ = ioctl(descriptor, UInt(TIOCOUTQ), &count)
    #endif
    return count
  }

  private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
  }
}
