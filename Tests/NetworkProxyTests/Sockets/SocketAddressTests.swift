import Testing

@testable import NetworkProxy

struct SocketAddressTests {
  @Test(
    arguments: [
      ("8080", "127.0.0.1:8080"), ("127.0.0.1:0", "127.0.0.1:0"), ("LocalHost:80", "127.0.0.1:80"),
      ("[::1]:80", "[::1]:80"), (":80", "0.0.0.0:80"), ("10.0.0.1:65535", "10.0.0.1:65535"), ("65536", nil),
      ("10.0.0.1:65536", nil), ("::1:80", nil), ("10.0.0.256:80", nil), ("example.com:80", nil), ("10.0.0.1", nil),
      ("[10.0.0.1:80", nil), ("", nil), ("127.0.0.1:", nil),
    ] as [(String, String?)])
  func `a socket address is a numeric host and a port, with brackets for IPv6`(text: String, address: String?) {
    #expect(SocketAddress(text)?.description == address)
  }

  @Test(arguments: [
    ("127.0.0.1", true, false), ("127.9.9.9", true, false), ("128.0.0.1", false, false), ("::1", true, false),
    ("::2", false, false), ("::ffff:127.0.0.1", true, false), ("0.0.0.0", false, true), ("::", false, true),
    ("::ffff:0.0.0.0", false, true), ("1::", false, false),
  ])
  func `127.0.0.0/8 and ::1 count as loopback, and an address of zeros as unspecified`(
    host: String, isLoopback: Bool, isUnspecified: Bool
  ) throws {
    let address = try #require(SocketAddress(host: host, port: 80))
    #expect(address.isLoopback == isLoopback && address.isUnspecified == isUnspecified)
  }

  @Test func `an IPv6 address that contains an IPv4 address has the IPv4 address's bytes`() throws {
    #expect(try #require(SocketAddress(host: "[::ffff:10.1.2.3]", port: 1)).bytes == [10, 1, 2, 3])
    #expect(try #require(SocketAddress(host: "::fffe:10.1.2.3", port: 1)).bytes.count == 16)
  }
}
