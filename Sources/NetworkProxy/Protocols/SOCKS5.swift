/// The server side of SOCKS5, for connections only (RFC 1928).
enum SOCKS5 {
  static let version: UInt8 = 5

  enum Reply: UInt8 {
    case succeeded = 0
    case failure = 1
    case networkUnreachable = 3
    case hostUnreachable = 4
    case refused = 5
    case expired = 6
    case commandNotSupported = 7
    case addressNotSupported = 8

    var bytes: [UInt8] { [SOCKS5.version, rawValue, 0, 1, 0, 0, 0, 0, 0, 0] }
  }

  /// The result of parsing a message's first bytes: a value and its length, or a need for more bytes.
  enum Parsed<Value> {
    case more
    case value(Value, count: Int)
    /// The bytes of a refusal, after which the connection is closed.
    case refused([UInt8])
  }

  /// Reads the authentication methods that a client offers; only "none" is accepted.
  static func greeting(_ bytes: ArraySlice<UInt8>) -> Parsed<[UInt8]> {
    let bytes = Array(bytes.prefix(2 + 255))
    guard bytes.count >= 2, bytes.count >= 2 + Int(bytes[1]) else { return .more }
    let methods = bytes[2..<(2 + Int(bytes[1]))]
    return methods.contains(0) ? .value([version, 0], count: 2 + methods.count) : .refused([version, 0xFF])
  }

  static func request(_ bytes: ArraySlice<UInt8>) -> Parsed<ProxyRequest.Target> {
    let bytes = Array(bytes.prefix(4 + 256 + 2))
    guard bytes.count >= 4 else { return .more }
    guard bytes[0] == version, bytes[2] == 0 else { return .refused(Reply.failure.bytes) }
    guard bytes[1] == 1 else { return .refused(Reply.commandNotSupported.bytes) }
    let size: Int
    switch bytes[3] {
    case 1: size = 4
    case 3:
      guard bytes.count > 4 else { return .more }
      size = 1 + Int(bytes[4])
    case 4: size = 16
    default: return .refused(Reply.addressNotSupported.bytes)
    }
    guard bytes.count >= 4 + size + 2 else { return .more }
    let address = bytes[4..<(4 + size)]
    let port = UInt16(bytes[4 + size]) << 8 | UInt16(bytes[5 + size])
    let host: String
    switch bytes[3] {
    case 1: host = address.map { "\($0)" }.joined(separator: ".")
    case 3:
      let name = address.dropFirst()
      guard !name.isEmpty, name.allSatisfy({ HTTPHead.isToken($0) || $0 == 58 }) else {
        return .refused(Reply.hostUnreachable.bytes)
      }
      host = String(decoding: name, as: UTF8.self)
    default: host = SocketAddress.text(ofVersion6: Array(address))
    }
    guard port > 0 else { return .refused(Reply.hostUnreachable.bytes) }
    return .value(ProxyRequest.Target(host: host, port: port), count: 4 + size + 2)
  }
}
