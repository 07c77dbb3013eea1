import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@testable import netcond

struct ProxyReportTests {
  private static func report(_ hosts: [String]) throws -> ProxyReport {
    let rule = ProfileRule(match: RequestMatch(host: "slow.test"), use: NetworkProfile(name: "slow"))
    var network = ProxiedNetwork(profile: NetworkProfile(name: "mine", rules: [rule]), seed: 1)
    for host in hosts {
      let exchange = network.begin(URLRequest(url: try #require(URL(string: "http://\(host)/"))))
      network.end(exchange.number, as: .finished)
    }
    return ProxyReport(timeline: network.snapshot(), traces: [])
  }

  @Test func `the proxy's report counts transfers over a rule's profile separately`() throws {
    let report = try Self.report(["slow.test", "other.test", "slow.test"])
    #expect(
      report.lines.suffix(2) == [
        "over slow: 2 transfers, 0 B down, 0 B up", "over mine: 1 transfer, 0 B down, 0 B up",
      ])
    #expect(report.json.compactText.contains(#"{"profile":"slow","transfers":2,"bytes_down":0,"bytes_up":0}"#))
    #expect(try Self.report(["slow.test"]).lines.last == "over slow: 1 transfer, 0 B down, 0 B up")
  }

  @Test func `the proxy's report counts error statuses as failures, like the page of its timeline`() async throws {
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    defer { network.invalidate() }
    network.stub("/large", with: .status(413))
    _ = try await network.data(from: #require(URL(string: "http://a.test/large")))
    #expect(ProxyReport(timeline: network.timeline, traces: []).lines[0].hasPrefix("1 transfer, 1 failed, "))
  }

  @Test func `the proxy's report counts transfers that its end cuts off`() throws {
    var network = ProxiedNetwork(profile: .unlimited, seed: 1)
    let exchange = network.begin(URLRequest(url: try #require(URL(string: "http://a.test/"))))
    network.end(exchange.number, as: .cancelled)
    let report = ProxyReport(timeline: network.snapshot(), traces: [])
    #expect(report.lines[0].hasPrefix("1 transfer, 0 failed, 1 cut off, in "))
    #expect(report.json.compactText.contains(#""failed":0,"cancelled":1"#))
  }

  @Test func `the proxy's report ends with the files that it has saved`() {
    var network = ProxiedNetwork(profile: .unlimited, seed: 1)
    let report = ProxyReport(timeline: network.snapshot(), traces: ["a.har", "b.html"])
    #expect(report.lines.suffix(2) == ["saved a.har", "saved b.html"])
    #expect(report.json.compactText.contains(#""traces":["a.har","b.html"]"#))
  }

  @Test func `the proxy's report does not count the main profile's transfers twice`() throws {
    #expect(try Self.report(["other.test", "another.test"]).lines.count == 2)
  }
}
