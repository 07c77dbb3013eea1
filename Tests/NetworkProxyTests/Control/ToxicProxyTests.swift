import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

@testable import NetworkProxy

struct ToxicProxyTests {
  private let bench = ProxyBench(.unlimited)
  private let proxy = ToxicProxy(
    name: "db", listen: .loopback(), upstream: ProxyRequest.Target(host: "localhost", port: 1))

  private func set(_ toxics: String...) throws {
    proxy.toxics = try toxics.map { try Toxic(try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))) }
    bench.core.toxicsChanged(proxy)
  }

  private func client() -> Int32 { bench.client("", .forward(proxy.upstream, link: proxy)) }

  private func isClosed(_ client: Int32) -> Bool { bench.sockets.ends[client]?.wasClosed == true }

  @Test func `limit_data of no bytes closes a connection at the first byte`() throws {
    try set(#"{"type": "limit_data", "attributes": {"bytes": 0}}"#)
    let client = client()
    bench.run(for: .seconds(1))
    #expect(!isClosed(client))
    bench.say("a", bench.servers[0])
    bench.run(for: .milliseconds(1))
    #expect(bench.text(client) == "" && isClosed(client))
  }

  @Test func `a limit_data below the bytes already passed closes the connection at its next byte`() throws {
    try set(#"{"type": "limit_data", "attributes": {"bytes": 10}}"#)
    let client = client()
    bench.say("abcd", bench.servers[0])
    try set(#"{"type": "limit_data", "attributes": {"bytes": 3}}"#)
    bench.run(for: .seconds(1))
    #expect(!isClosed(client))
    bench.say("e", bench.servers[0])
    bench.run(for: .milliseconds(1))
    #expect(bench.text(client) == "abcd" && isClosed(client))
  }

  @Test func `limit_data counts only bytes that the socket accepted`() throws {
    try set(#"{"type": "limit_data", "attributes": {"bytes": 3}}"#)
    let client = client()
    bench.sockets.ends[client]?.room = 2
    bench.say("abcdef", bench.servers[0])
    #expect(bench.text(client) == "ab")
    bench.makeRoom(client)
    bench.run(for: .milliseconds(1))
    #expect(bench.text(client) == "abc" && isClosed(client))
  }

  @Test(arguments: ["reset_peer", "timeout"])
  func `a toxic that is removed before its time closes no connection`(type: String) throws {
    try set(#"{"type": "\#(type)", "attributes": {"timeout": 20}}"#)
    let client = client()
    bench.run(for: .milliseconds(19))
    try set()
    bench.run(for: .seconds(1))
    #expect(!isClosed(client))
  }

  @Test func `after a restart with the same seed a toxic applies to the same connections again`() throws {
    try set(#"{"type": "reset_peer", "toxicity": 0.5}"#)
    func struck() -> [Bool] {
      (0..<40).map { _ in
        let client = client()
        bench.run(for: .milliseconds(1))
        return isClosed(client)
      }
    }
    let first = struck()
    bench.core.restart(seed: 0)
    proxy.startOver()
    #expect(struck() == first)
  }

  @Test func `bytes that a removed latency still delays do not delay those of a new connection`() throws {
    bench.core.network.use(.plain([]))
    try set(#"{"type": "latency", "attributes": {"latency": 10000}}"#)
    let first = client()
    bench.say("slow", bench.servers[0])
    bench.run(for: .seconds(1))
    try set()
    let second = client()
    bench.say("fast", bench.servers[1])
    bench.run(for: .seconds(8))
    #expect(bench.text(first) == "" && bench.text(second) == "fast")
    bench.run(for: .seconds(30))
    #expect(bench.text(first) == "slow")
    // Now the first link is empty: it may serve again, without the former delay.
    try set(#"{"type": "latency", "attributes": {"latency": 10000}}"#)
    try set()
    let third = client()
    bench.say("again", bench.servers[2])
    bench.run(for: .seconds(1))
    #expect(bench.text(third) == "again")
  }

  @Test func `changing a toxic does not restart the phases of its link`() throws {
    let late = PathConditions(down: LinkConditions(delay: .seconds(2)))
    let phases = [("early", PathConditions()), ("late", late)].map {
      NetworkProfile.Phase($0, for: .seconds(10), conditions: $1)
    }
    bench.run(for: .seconds(5))
    bench.core.advance(to: .zero.advanced(by: .seconds(5)))
    bench.core.network.use(NetworkProfile(name: "phased", phases: phases, repeats: true))
    let client = client()
    bench.core.advance(to: .zero.advanced(by: .seconds(8)))
    try set(#"{"type": "noop"}"#)
    // The link's second phase begins 10 s after the profile did.
    for (seconds, text, delay) in [(14, "a", 0), (16, "b", 2)] {
      bench.core.advance(to: .zero.advanced(by: .seconds(seconds)))
      bench.say(text, bench.servers[0])
      bench.run(for: .seconds(delay) - .milliseconds(delay > 0 ? 1 : 0))
      #expect(bench.text(client).hasSuffix(text) == (delay == 0), "\(text)")
      bench.run(for: .milliseconds(1))
      #expect(bench.text(client).hasSuffix(text), "\(text)")
    }
  }

  @Test func `an outage does not restart the phases on the link of a proxy`() {
    let phases = ["early", "late"].map { NetworkProfile.Phase($0, for: .seconds(10), conditions: PathConditions()) }
    bench.run(for: .seconds(5))
    bench.core.network.use(.unlimited)
    _ = bench.core.network.addPath(NetworkProfile(name: "added", phases: phases, repeats: true))
    for outage in [PathConditions.Outage.drop, nil] { bench.core.network.setOutage(outage) }
    bench.run(for: .seconds(12))
    let late = bench.timeline.events.filter { $0.kind == .phaseEntered("late") }
    #expect(late.map(\.time) == [SimulatedInstant.zero.advanced(by: .seconds(15))])
  }
}
