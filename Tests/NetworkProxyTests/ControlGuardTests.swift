import Foundation
import NetworkConditions
import Testing

@testable import NetworkProxy

/// Access to the control API by browser pages and by other machines.
struct ControlGuardTests {
  let bench = ProxyBench(.unlimited)
  let host = ControlTests.Host()
  let api: ControlAPI

  init() {
    api = ControlAPI(core: bench.core, host: host)
    bench.core.control = { [api] in api.answer($0) }
    bench.core.guardian.named = [.loopback(port: 8474)]
  }

  private func status(_ fields: String) -> Int? { status("GET /netcond/timeline", fields) }

  /// The status of the answer to a head and a body.
  private func status(_ line: String, _ fields: String, body: String = "") -> Int? {
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    let client = bench.client("\(line) HTTP/1.1\r\n\(fields)\r\n\(length)\r\n\(body)", .control)
    return Int(bench.text(client).dropFirst(9).prefix(3))
  }

  @Test(arguments: [
    "localhost", "LocalHost:8474", "127.0.0.1", "127.0.0.1:8474", "127.8.9.10:1", "[::1]", "[::1]:8474",
    "[::ffff:127.0.0.1]:8474", "[0:0:0:0:0:0:0:1]:8474",
  ])
  func `the control API accepts requests whose Host names this machine`(name: String) {
    #expect(status("Host: \(name)") == 200)
    #expect(status("hOsT: \(name)\r\nOrigin: http://\(name)") == 200)
  }

  @Test(arguments: [
    "evil.test", "evil.test:8474", "localhost.evil.test", "127.0.0.1.evil.test", "evil.test#localhost",
    "localhost@evil.test",
    "evil.localhost", "localhost.", "localhost:8474:1", "localhost:x", "127.0.0.1:80@evil.test", "0x7f000001",
    "2130706433",
    "127.1", "::1", "[::1", "[::1].evil.test", "[::1]evil.test", "[localhost]", "[127.0.0.1]", "0.0.0.0", "[::]",
    "192.0.2.1",
    "[fe80::1]", "netcond", "localhost, evil.test", "http://localhost", "localhost/", "\u{FF4C}ocalhost",
  ])
  func `the control API refuses requests whose Host names another machine`(name: String) {
    #expect(status("Host: \(name)") == 403)
    #expect(status("POST /netcond/profile", "Host: \(name)", body: #"{"profile": "3G"}"#) == 403)
    #expect(bench.core.network.profile.name != "3G")
  }

  @Test(arguments: [("1.1", "", false), ("1.0", "", true), ("1.1", "Connection: close\r\n", true)])
  func `the control API closes a connection that its client does not keep`(
    version: String, field: String, closes: Bool
  ) {
    let client = bench.client("GET /version HTTP/\(version)\r\nHost: localhost\r\n\(field)\r\n", .control)
    #expect(bench.text(client).hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(bench.text(client).contains("\r\nConnection: close\r\n") == closes)
  }

  @Test(arguments: [
    "X: y", "Host:", "Host: localhost\r\nHost: localhost", "Host: localhost\r\nhost: evil.test",
    "Host: evil.test\r\nHOST: localhost", "Host : localhost", "Host: localhost\r\n evil.test",
  ])
  func `the control API refuses requests without exactly one Host field`(fields: String) {
    #expect([400, 403].contains(status(fields)))
  }

  @Test(arguments: [
    "GET http://evil.test/netcond", "GET http://localhost:8474/netcond", "GET localhost/netcond",
    "CONNECT localhost:8474",
    "GET *", "GET \\\\evil.test/netcond",
  ])
  func `the control API refuses a request target that is more than a path`(line: String) {
    #expect(status(line, "Host: localhost") == 400)
  }

  @Test(arguments: [
    "http://evil.test", "https://localhost:8474", "http://localhost:3000", "http://localhost", "null", "", "file://",
    "http://127.0.0.1:8474", "http://localhost:8474.evil.test", "http://localhost:8474, http://evil.test",
    "http://localhost:8474\r\nOrigin: http://evil.test", "http://localhost:8474\r\noRiGiN: null",
  ])
  func `the control API refuses requests from pages of another origin`(origin: String) {
    for type in [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json",
    ] {
      let fields = "Host: localhost:8474\r\norigin: \(origin)\r\nContent-Type: \(type)\r\nUser-Agent: curl/8"
      #expect(status("POST /netcond/profile", fields, body: #"{"profile": "3G"}"#) == 403)
      #expect(status("POST /proxies", fields, body: #"{"name": "a", "upstream": "b:1"}"#) == 403)
    }
    #expect(status("OPTIONS /proxies", "Host: localhost:8474\r\nOrigin: \(origin)") == 403)
    #expect(bench.core.network.profile.name != "3G" && host.proxies.isEmpty)
  }

  @Test func `the control API refuses browser requests without an Origin unless the user made them`() {
    for value in ["cross-site", "same-site", "Cross-Site", "x"] {
      #expect(status("Host: localhost\r\nSec-Fetch-Site: \(value)") == 403)
    }
    #expect(status("Host: localhost\r\nSec-Fetch-Site: none") == 200)
    #expect(status("Host: localhost\r\nUser-Agent: x\r\nUser-Agent: Mozilla/5.0 (X11)") == 403)
  }

  // MARK: Listening

  private func listen(_ address: String, named: [SocketAddress]) -> Int? {
    bench.core.guardian.named = named
    let body = #"{"name": "\#(host.proxies.count)", "listen": "\#(address)", "upstream": "b:1"}"#
    return status("POST /proxies", "Host: localhost", body: body)
  }

  @Test(arguments: [
    "0.0.0.0:26379", "[::]:26379", ":26379", "192.0.2.1:26379", "[::ffff:0.0.0.0]:26379", "[::ffff:192.0.2.1]:26379",
    "[fe80::1]:26379", "[0:0::0]:26379",
  ])
  func `a proxy may listen beyond loopback only at the address of the control API`(address: String) throws {
    #expect(listen(address, named: [.loopback(port: 8474)]) == 403)
    #expect(host.proxies.isEmpty)
    let other = try #require(SocketAddress(host: "192.0.2.7", port: 1))
    #expect(listen(address, named: [other]) == 403)
    for all in ["0.0.0.0:8080", "[::]:8080"] {
      #expect(listen(address, named: [try #require(SocketAddress(all))]) == 201)
    }
  }

  @Test func `changing, listing or resetting proxies cannot open a port to other machines`() throws {
    #expect(listen("127.0.0.1:22", named: [.loopback()]) == 201)
    let local = "Host: localhost"
    #expect(status("POST /proxies/0", local, body: #"{"listen": "0.0.0.0:22"}"#) == 403)
    #expect(status("PATCH /proxies/0", local, body: #"{"listen": "0.0.0.0:22", "enabled": false}"#) == 403)
    #expect(status("POST /populate", local, body: #"[{"name": "0", "listen": ":22", "upstream": "b:1"}]"#) == 403)
    #expect(status("POST /reset", local) == 204)
    #expect(host.proxies.values.map(\.listen) == [.loopback(port: 22)])
  }

  @Test func `a client may open ports at an address of the start configuration, but not at a wider one`()
    throws
  {
    try api.populate(Data(#"[{"name": "a", "listen": "192.0.2.1:22", "upstream": "b:1"}]"#.utf8))
    #expect(status("POST /proxies/a", "Host: localhost", body: #"{"enabled": false}"#) == 200)
    #expect(status("POST /proxies/a", "Host: 192.0.2.1:8474", body: #"{"enabled": true}"#) == 200)
    #expect(status("POST /proxies/a", "Host: netcond:8474", body: #"{"listen": "[::ffff:192.0.2.1]:23"}"#) == 200)
    #expect(status("POST /proxies/a", "Host: netcond", body: #"{"listen": "0.0.0.0:23"}"#) == 403)
    #expect(status("Host: 192.0.2.2:8474") == 403)
    #expect(status("Host: netcond.test:8474") == 403)
  }

  @Test func `an address on which a start configuration could not listen is not opened to clients`() throws {
    // The test host refuses to listen on port 1.
    #expect(throws: ControlError.self) {
      try api.populate(Data(#"[{"name": "a", "listen": "192.0.2.1:1", "upstream": "b:1"}]"#.utf8))
    }
    #expect(status("Host: 192.0.2.1:8474") == 403)
    #expect(status("Host: netcond") == 403)
    let body = #"{"name": "b", "listen": "192.0.2.1:22", "upstream": "b:1"}"#
    #expect(status("POST /proxies", "Host: localhost", body: body) == 403)
  }

  @Test(arguments: ["/proxies", "/none"])
  func `the control API answers HEAD without a body`(path: String) {
    let head = "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let client = bench.client(head + "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n", .control)
    #expect(bench.text(client).components(separatedBy: "\r\n\r\n")[1].hasPrefix("HTTP/1.1 200 OK\r\n"))
  }
}
