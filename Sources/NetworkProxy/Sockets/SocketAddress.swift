import Foundation
import Internals

/// An address with a port, on which a socket listens or to which it connects.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address in numbers, such as `127.0.0.1` or `::1`.
  public let host: String
  /// The port; with 0 the system chooses a free one.
  public let port: UInt16

  /// The loopback address, which no other machine reaches.
  public static func loopback(port: UInt16 = 0) -> SocketAddress { SocketAddress(host: "127.0.0.1", port: port)! }

  /// Creates an address from a host in numbers or from `localhost`, which is 127.0.0.1; `nil` for any other name.
  public init?(host: String, port: UInt16) {
    let plain = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    self.host = plain.lowercased() == "localhost" ? "127.0.0.1" : plain
    self.port = port
    guard Self.bytes(of: self.host, AF_INET, 4) != nil || Self.bytes(of: self.host, AF_INET6, 16) != nil else {
      return nil
    }
  }

  /// Reads `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or a port alone, which means the loopback address.
  public init?(_ text: String) {
    if let port = UInt16(text) {
      self = .loopback(port: port)
      return
    }
    guard let place = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: place)...]) else { return nil }
    let host = text[..<place]
    guard !host.contains(":") || host.hasPrefix("[") else { return nil }
    self.init(host: host.isEmpty ? "0.0.0.0" : String(host), port: port)
  }

  /// Whether only this machine can reach the address.
  public var isLoopback: Bool { bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1] }

  var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// The address as text: `127.0.0.1:8080` or `[::1]:8080`.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  var isVersion6: Bool { host.contains(":") }

  /// The address's bytes: 4 also for an IPv6 address that contains an IPv4 address (RFC 4291, 2.5.5.2).
  var bytes: [UInt8] {
    if let bytes = Self.bytes(of: host, AF_INET, 4) { return bytes }
    let bytes = Self.bytes(of: host, AF_INET6, 16) ?? []
    return bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) ? Array(bytes.dropFirst(12)) : bytes
  }

  static func bytes(of host: String, _ family: Int32, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, host, &bytes) == 1 ? bytes : nil
  }

  /// The short text of an IPv6 address, as in URLs and rules (RFC 5952).
  static func text(ofVersion6 bytes: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count))
    return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    if isVersion6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: Self.bytes(of: host, AF_INET6, 16) ?? []) }
      return Self.pass(&address, body)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: Self.bytes(of: host, AF_INET, 4) ?? []) }
    return Self.pass(&address, body)
  }

  private static func pass<Address, Result>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
    }
  }
}
