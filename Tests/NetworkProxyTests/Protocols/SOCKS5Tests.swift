import Testing

@testable import NetworkProxy

struct SOCKS5Tests {
  private func target(_ bytes: [UInt8]) -> ProxyRequest.Target? {
    if case .value(let target, bytes.count) = SOCKS5.request(bytes[...]) { target } else { nil }
  }

  private func refusal(_ bytes: [UInt8]) -> [UInt8]? {
    if case .refused(let reply) = SOCKS5.request(bytes[...]) { reply } else { nil }
  }

  @Test func `a SOCKS5 request names an address or a host and a port in network byte order`() {
    #expect(target([5, 1, 0, 1, 192, 0, 2, 1, 1, 187]) == .init(host: "192.0.2.1", port: 443))
    #expect(target([5, 1, 0, 3, 3] + Array("a.b".utf8) + [0x1F, 0x90]) == .init(host: "a.b", port: 8_080))
    // Some clients send an address of IPv6 as a name.
    #expect(target([5, 1, 0, 3, 3] + Array("::1".utf8) + [0, 80]) == .init(host: "::1", port: 80))
    #expect(refusal([5, 1, 0, 3, 3] + Array("a/b".utf8) + [0, 80]) == SOCKS5.Reply.hostUnreachable.bytes)
    let loopback = [UInt8](repeating: 0, count: 15) + [1]
    #expect(target([5, 1, 0, 4] + loopback + [0, 80]) == .init(host: "::1", port: 80))
    // An incomplete request gives no result yet.
    guard case .more = SOCKS5.request([5, 1, 0, 1, 192, 0, 2, 1, 1]) else {
      Issue.record("a request without its last byte is read")
      return
    }
  }

  @Test func `SOCKS5 refuses BIND, UDP and port 0`() {
    for command: UInt8 in [0, 2, 3] {
      #expect(refusal([5, command, 0, 1, 1, 1, 1, 1, 0, 80]) == SOCKS5.Reply.commandNotSupported.bytes)
    }
    #expect(refusal([5, 1, 0, 1, 1, 1, 1, 1, 0, 0]) == SOCKS5.Reply.hostUnreachable.bytes)
    #expect(refusal([5, 1, 0, 2, 1, 1, 1, 1, 0, 80]) == SOCKS5.Reply.addressNotSupported.bytes)
    #expect(refusal([4, 1, 0, 1, 1, 1, 1, 1, 0, 80]) == SOCKS5.Reply.failure.bytes)
    // The third byte is reserved (RFC 1928, section 4).
    #expect(refusal([5, 1, 1, 1, 1, 1, 1, 1, 0, 80]) == SOCKS5.Reply.failure.bytes)
  }

  @Test func `a SOCKS5 client that accepts no authentication is admitted, others are refused`() {
    guard case .value([5, 0], count: 3) = SOCKS5.greeting([5, 1, 0]),
      case .value([5, 0], count: 4) = SOCKS5.greeting([5, 2, 2, 0]),
      case .refused([5, 0xFF]) = SOCKS5.greeting([5, 1, 2]), case .more = SOCKS5.greeting([5, 2, 0])
    else {
      Issue.record("a greeting is read wrongly")
      return
    }
  }
}
