import Foundation
import Internals

/// Non-blocking TCP sockets of the system.
enum Sockets {
  static func listen(on address: SocketAddress) throws(ProxyError) -> Int32 {
    let descriptor = make(address)
    guard descriptor >= 0 else { throw .cannotListen(address, reason: SystemError().description) }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
    let status = address.withSystemAddress { bind(descriptor, $0, $1) }
    guard status == 0, Foundation.listen(descriptor, 4_096) == 0 else {
      let reason = SystemError().description
      _ = Foundation.close(descriptor)
      throw .cannotListen(address, reason: reason)
    }
    return descriptor
  }

  static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard status == 0 else { return 0 }
    // The port has the same offset in IPv4 and IPv6 addresses.
    return withUnsafeBytes(of: storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
  }

  /// Whether an address belongs to this machine, so that a socket can be bound to it.
  static func isOfThisMachine(_ address: SocketAddress) -> Bool {
    guard let place = SocketAddress(host: address.host, port: 0) else { return false }
    let descriptor = make(place)
    defer { if descriptor >= 0 { _ = Foundation.close(descriptor) } }
    return descriptor >= 0 && place.withSystemAddress { bind(descriptor, $0, $1) } == 0
  }

  enum Accepted {
    case socket(Int32)
    case nothing
    case exhausted
  }

  static func accept(_ listener: Int32) -> Accepted {
    while true {
      let descriptor = Foundation.accept(listener, nil, nil)
      if descriptor >= 0 {
        prepare(descriptor)
        return .socket(descriptor)
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .nothing
      }
    }
  }

  static func connect(to address: SocketAddress) -> Int32? {
    let descriptor = make(address)
    guard descriptor >= 0 else { return nil }
    let status = address.withSystemAddress { Foundation.connect(descriptor, $0, $1) }
    if status == 0 || errno == EINPROGRESS { return descriptor }
    _ = Foundation.close(descriptor)
    return nil
  }

  /// Returns why connecting failed, once the socket is writable; `nil` if it succeeded.
  static func outcome(of descriptor: Int32) -> ConnectFailure? {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    _ = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    switch code {
    case 0: return nil
    case ECONNREFUSED: return .refused
    case ETIMEDOUT: return .timedOut
    default: return .unreachable
    }
  }

  /// Whether the connection has been made; `false` while connecting is under way.
  static func isConnected(_ descriptor: Int32) -> Bool {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) == 0 }
    }
  }

  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      default: return .broken
      }
    }
  }

  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    while true {
      let count = send(descriptor, bytes.baseAddress, bytes.count, SystemSocket.sendFlags)
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .full
      default: return .broken
      }
    }
  }

  static func endWriting(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  static func resetWhenClosed(_ descriptor: Int32) {
    set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
  }

  static func addresses(of host: String, port: UInt16) -> [SocketAddress] {
    if let address = SocketAddress(host: host, port: port) { return [address] }
    var hints = addrinfo()
    hints.ai_socktype = SystemSocket.stream
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      if getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      {
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if let address = SocketAddress(host: name, port: port), !found.contains(address) { found.append(address) }
      }
      next = entry.pointee.ai_next
    }
    return found
  }

  private static func make(_ address: SocketAddress) -> Int32 {
    let descriptor = socket(address.isVersion6 ? AF_INET6 : AF_INET, SystemSocket.stream, 0)
    if descriptor >= 0 { prepare(descriptor) }
    return descriptor
  }

  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    SystemSocket.silence(descriptor)
  }

  private static func set<Value: BitwiseCopyable>(
    _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Value
  ) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
  }
}
