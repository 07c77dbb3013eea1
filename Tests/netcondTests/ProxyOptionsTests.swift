import Foundation
import NetworkProxy
import Testing

@testable import netcond

struct ProxyOptionsTests {
  @Test func `a forward has a local port, a host and a port`() throws {
    let forward = try #require(ProxyOptions.Forward("5433=localhost:5432"))
    #expect(forward.local == .loopback(port: 5433) && forward.host == "localhost" && forward.port == 5_432)
    #expect(forward.target == "localhost:5432")
    let other = try #require(ProxyOptions.Forward("5433=[::1]:65535"))
    #expect(other.target == "[::1]:65535")
    #expect(other.host == "::1" && other.port == 65_535)
  }

  @Test(arguments: [
    "5433", "5433=localhost", "5433=localhost:0", "5433=localhost:65536", "5433=:1", "5433=1:2:3", "5433=::1:80",
    "localhost=localhost:80",
  ])
  func `a forward without one host and one port is refused`(text: String) {
    #expect(ProxyOptions.Forward(text) == nil)
  }

  @Test func `a folder given as configuration file is refused with its name`() async throws {
    let scratch = try Scratch()
    let outcome = await Shell().run("proxy", "--listen", "0", "--control", "0", "--config", scratch.folder.path)
    #expect(outcome.status == .failed)
    let words = "netcond proxy: \(scratch.folder.lastPathComponent): is not a regular file"
    #expect(outcome.error.hasPrefix(words), "\(outcome.error)")
  }
}
