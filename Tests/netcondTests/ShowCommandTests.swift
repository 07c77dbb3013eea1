import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct ShowCommandTests {
  @Test func `netcond show prints TCP and HTTP settings that differ from the defaults`() throws {
    let text =
      #"{ "name": "old", "tcp": { "congestion": "reno" }, "http": { "connectionsPerHost": 1, "keepAlive": "5 s" } }"#
    let lines = ShowCommand.lines(try NetworkProfile(json: Data(text.utf8)), width: 80, style: .none)
    #expect(lines.contains("TCP   Reno; 1 connection per host, 100 streams per connection, kept 5 s idle"), "\(lines)")
    #expect(!ShowCommand.lines(FixedProfiles.tunnel, width: 80, style: .none).contains { $0.hasPrefix("TCP") })
  }

  @Test func `netcond show prints the device of a profile without phases`() {
    var base = PathConditions.unlimited
    (base.device.interface, base.device.isConstrained) = (.cellular, true)
    let lines = ShowCommand.lines(NetworkProfile(name: "roaming", base: base), width: 80, style: .none)
    #expect(lines.contains("      device: cellular, constrained"), "\(lines)")
  }

  @Test(arguments: [
    (PathConditions.UDP.open, nil), (.blocked, "UDP   blocked, except for name look-ups"),
    (.limited(.kilobitsPerSecond(500)), "UDP   at most 500 kbit/s, except for name look-ups"),
  ])
  func `netcond show prints what a network does with UDP`(udp: PathConditions.UDP, line: String?) {
    var base = PathConditions.unlimited
    base.udp = udp
    let lines = ShowCommand.lines(NetworkProfile(name: "office", base: base), width: 80, style: .none)
    #expect(lines.first { $0.hasPrefix("UDP") } == line)
    let phase = NetworkProfile.Phase("guest", for: .seconds(1), conditions: base)
    let phases = ShowCommand.lines(NetworkProfile(name: "office", phases: [phase]), width: 80, style: .none)
    #expect(
      phases.contains { $0.contains("guest: UDP \(udp == .blocked ? "blocked" : "at most 500 kbit/s")") }
        == (line != nil))
  }

  @Test func `netcond show prints all settings of the path's ends in one line`() {
    var ends = PathConfiguration()
    (ends.secureVersion, ends.http3Announcement, ends.migration) = (.http3, .answers, .server)
    (ends.validatesAddresses, ends.resumesSessions, ends.repeats) = (true, true, .idempotent)
    (ends.serverKeepAlive, ends.natTimeout) = (.seconds(5), .seconds(30))
    var profile = NetworkProfile(name: "ends")
    profile.configuration = ends
    #expect(
      ShowCommand.lines(profile, width: 80, style: .none).last
        == "      HTTP/3 over TLS; announced by Alt-Svc; migrates: server; servers check addresses; sessions are resumed; "
        + "the server closes connections idle for 5 s; a middlebox forgets connections idle for 30 s; "
        + "sent again: idempotent")
  }

  @Test(arguments: ImpairmentKind.allCases)
  func `netcond show prints each impairment of a link in its table and as JSON`(kind: ImpairmentKind) throws {
    let part = try #require(LinkTextTests.parts.split(separator: ", ").first { $0.hasPrefix(kind.name) })
    let conditions = try LinkText.conditions(String(part))
    func profile(_ conditions: PathConditions) -> NetworkProfile {
      NetworkProfile(name: "one", summary: "", source: "", base: conditions)
    }
    #expect(ProfileText.whole(profile(conditions)) != ProfileText.whole(profile(.unlimited)))
    let table = ProfileText.links(conditions, width: 80, style: .none)
    #expect(table[0].contains(kind.name), "\(table)")
  }

  @Test func `netcond show prints numbers, phases and a drawing below each other`() {
    let lines = ShowCommand.lines(FixedProfiles.tunnel, width: 57, style: .none)
    #expect(
      lines == [
        "tunnel",
        "a train",
        "",
        "           rate  delay",
        "down  12 Mbit/s  35 ms",
        "up     5 Mbit/s  35 ms",
        "RTT   70 ms without queues",
        "",
        "   phase        for       down        up    RTT  loss",
        "1  open track  20 s  12 Mbit/s  5 Mbit/s  70 ms",
        "2  portal       5 s   3 Mbit/s  1 Mbit/s  70 ms",
        "3  tunnel      15 s        out       out",
        "   then from the beginning",
        "",
        "  12 Mbit/s ┤████████████████████     ╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱",
        "            │████████████████████     ╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱",
        "            │████████████████████     ╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱",
        "            │████████████████████▂▂▂▂▂╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱",
        "       down │█████████████████████████╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱",
        "",
        "   5 Mbit/s ┤████████████████████     ╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱",
        "            │████████████████████     ╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱",
        "         up │████████████████████▅▅▅▅▅╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱",
        "            └┬──────────────┬──────────────┬─────────┤",
        "             0            15 s           30 s",
        "                  open track       2      tunnel",
      ])
  }

  @Test(arguments: [(24, nil), (25, "   and 1 more"), (26, "   and 2 more")])
  func `netcond show lists 24 phases and counts the others`(count: Int, more: String?) {
    let phases = (0..<count).map { NetworkProfile.Phase("p\($0)", for: .seconds(1), conditions: .unlimited) }
    let lines = ShowCommand.lines(NetworkProfile(name: "long", phases: phases), width: 80, style: .none)
    #expect(lines.first { $0.hasPrefix("   and ") && $0.hasSuffix(" more") } == more)
  }

  @Test func `netcond show prints the aliases beside the name if the line has room for them`() {
    for (width, head) in [(17, "steady  also calm"), (16, "steady")] {
      #expect(ShowCommand.lines(FixedProfiles.steady, width: width, style: .none)[0] == head)
    }
  }
  @Test func `netcond show draws no picture for a profile without phases`() {
    let lines = ShowCommand.lines(FixedProfiles.steady, width: 80, style: .none)
    #expect(
      lines == [
        "steady  also calm", "the same at all times", "", "            rate  delay  loss",
        "down  780 kbit/s  50 ms  1 %", "up    330 kbit/s  50 ms", "RTT   100 ms without queues", "", "source  a test",
      ])
  }

  @Test func `netcond show says when a profile throttles as DevTools does`() async throws {
    let lines = await Shell(width: 80).run("show", "chrome.slow-4G").lines
    #expect(lines.contains("wait  562 ms once per request; all requests share the rates"))
    #expect(lines.contains("      like throttling in Chrome's DevTools: no packets, no handshakes"))
    #expect(!lines.contains { $0.hasPrefix("RTT") })
    for (name, model) in [("chrome.slow-4G", "devtools"), ("3G", "link")] {
      #expect(try await Shell().run("show", name, "--json").object["model"] as? String == model)
    }
  }

  @Test func `every built-in profile can be shown within the terminal's width`() async throws {
    for profile in try NetworkProfile.all {
      for width in [80, 120] {
        let outcome = await Shell(width: width).run("show", profile.name)
        #expect(outcome.status == .done)
        #expect(outcome.lines[0].hasPrefix(profile.name))
        for line in outcome.lines where line.count > width { Issue.record("\(profile.name): \(line)") }
      }
    }
  }

  @Test func `netcond show with --json gives the phases in numbers`() async throws {
    let object = try await Shell().run("show", "TUNNEL", "--json").object
    #expect(object["name"] as? String == "tunnel")
    let phases = try #require(object["phases"] as? [[String: Any]])
    let outages = phases.map { ($0["conditions"] as? [String: Any])?["outage"] as? String }
    #expect(outages.contains("drop"))
    #expect(phases.allSatisfy { $0["duration_s"] is Double || $0["duration_s"] is Int })
  }

  @Test func `netcond show explains a replay token and prints its schedule as JSON`() async throws {
    let schedule = try FaultSchedule("3G", seed: 7, faults: [.request(.post, "/pay", nth: 2, .refused)])
    let outcome = await Shell().run("show", "\(ReplayToken(schedule))")
    #expect(outcome.lines == ["3G, seed 7, 1 fault", "  the 2nd POST /pay: connection refused", ""])
    let json = await Shell().run("show", "\(ReplayToken(schedule))", "--json")
    #expect(try FaultSchedule(json: Data(json.lines.joined(separator: "\n").utf8)) == schedule)
    let seed = await Shell().run("show", "\(ReplayToken(try .named("3G"), seed: 9))")
    #expect(seed.lines == ["3G, seed 9: what happens is left to chance", ""])
    let damaged = await Shell().run("show", "netcond1:x")
    #expect(damaged.status == .failed)
    #expect(damaged.error.contains("The replay token is damaged: its end is missing. Copy the whole token again."))
  }

  @Test func `netcond show with an unknown profile is a usage error that suggests similar names`() async {
    let outcome = await Shell().run("show", "tunel")
    #expect(outcome.status == .usage)
    #expect(outcome.error.hasPrefix("netcond show: no profile is called \"tunel\"; did you mean "))
    #expect(outcome.error.contains("tunnel"))
  }

  @Test func `a link with a delivery trace is shown with its mean rate and its packets in a period`() throws {
    let trace = try #require(DeliveryTrace(offsets: [4_000_000, 6_000_000], period: .milliseconds(6)))
    let profile = NetworkProfile(name: "cell", down: LinkConditions(delay: .milliseconds(20), trace: trace))
    let lines = ShowCommand.lines(profile, width: 80, style: .none)
    #expect(lines.contains { $0.hasPrefix("down   4 Mbit/s  20 ms  2 packets in 6 ms") }, "\(lines)")
  }

  @Test func `a column of the conditions drawing shows the mean over its time`() {
    let curve = ConditionCurve(FixedProfiles.tunnel.schedule, columns: 4)
    #expect(curve.length == .seconds(40))
    // Ten seconds each: open, open, half portal and half tunnel, tunnel.
    #expect(curve.columns.map(\.down) == [12e6, 12e6, 3e6, 0])
    #expect(curve.columns.map(\.outage) == [0, 0, 0.5, 1])
  }

  @Test(arguments: [(10, 100, 110), (40, 1, 50)])
  func `an endless last phase is drawn for its own time, or for a quarter of the time before it`(
    first: Int, last: Int, length: Int
  ) throws {
    let phases = [first, last].map { ConditionSchedule.Phase("", for: .seconds($0), conditions: .unlimited) }
    let schedule = try #require(ConditionSchedule(phases: phases, repeats: false))
    #expect(ConditionCurve(schedule, columns: 4).length == .seconds(length))
  }

  @Test func `the drawing hatches a column whose time is mostly outage`() throws {
    func phase(_ seconds: Int, isOut: Bool = false) -> ConditionSchedule.Phase {
      ConditionSchedule.Phase(
        "", for: .seconds(seconds),
        conditions: FixedProfiles.conditions(100, 100, delay: .zero, outage: isOut ? .drop : nil))
    }
    // Sixteen columns of 10 s: the third is out for 6 s, and the fifth for 4 s.
    let schedule = try #require(
      ConditionSchedule(
        phases: [phase(24), phase(6, isOut: true), phase(16), phase(4, isOut: true), phase(110)], repeats: true))
    let lines = ConditionDrawing(schedule: schedule).lines(width: 33, style: .none)
    #expect(lines[0] == " 100 kbit/s ┤██╱█████████████")
    #expect(lines[9].hasSuffix("┤"), "\(lines)")
  }

  @Test func `the drawing has at most a hundred columns`() {
    let schedule = ConditionSchedule(FixedProfiles.conditions(100, 100, delay: .zero))
    let lines = ConditionDrawing(schedule: schedule).lines(width: 300, style: .none)
    #expect(lines[0] == " 100 kbit/s ┤" + String(repeating: "█", count: 100))
  }

  @Test func `the drawing names each phase, or gives its number where the name has no room`() throws {
    let phases = [("open", 4), ("sea", 4)] + "abcdefgh".map { ("\($0)", 1) }
    let schedule = try #require(
      ConditionSchedule(
        phases: phases.map { ConditionSchedule.Phase($0, for: .seconds($1), conditions: .unlimited) }, repeats: true))
    // Sixteen columns of 1 s; the number 10 does not fit into one.
    let lines = ConditionDrawing(schedule: schedule).lines(width: 33, style: .none)
    #expect(lines.last == String(repeating: " ", count: 13) + " 1  sea 3456789")
  }

  @Test func `the shown round trip is the sum of both delays`() {
    let conditions = PathConditions(
      down: LinkConditions(delay: .milliseconds(30)), up: LinkConditions(delay: .milliseconds(5)))
    #expect(conditions.roundTrip == .milliseconds(35))
  }

  @Test func `loss in bursts is shown with the mean length of a burst`() {
    let chain = GilbertElliott(goodToBad: .percent(5), badToGood: .percent(20))
    #expect(ProfileText.loss(.bursts(chain)) == "20 % in bursts of 5")
    #expect(ProfileText.loss(.independent(.percent(20))) == "20 %")
  }

  @Test func `conditions without an end are drawn for a limited time`() throws {
    let conditions = FixedProfiles.conditions(100, 100, delay: .zero)
    let schedule = try #require(
      ConditionSchedule(phases: [
        ConditionSchedule.Phase("a", for: .seconds(8), conditions: conditions),
        ConditionSchedule.Phase("b", conditions: .unlimited),
      ]))
    let curve = ConditionCurve(schedule, columns: 10)
    #expect(curve.length == .seconds(10))
    #expect(curve.goesOn)
    #expect(curve.spans.map(\.columns) == [0..<8, 8..<10])
    let lines = ConditionDrawing(schedule: schedule).lines(width: 80, style: .none)
    #expect(lines[0].hasPrefix("  unlimited ┤"))
    #expect(lines[9].hasPrefix("            └") && lines[9].hasSuffix("→"), "\(lines)")
  }

  @Test func `the ticks of a drawing are a round number of seconds, minutes, hours or days apart`() {
    let steps = [
      (0.000_4, 0.001), (0.001_1, 0.002), (0.002_1, 0.005), (0.3, 0.5), (5, 5), (11, 15), (16, 30), (61, 120),
      (601, 900),
      (901, 1_800), (3_601, 7_200), (7_201, 14_400), (20_000, 21_600), (50_000, 86_400), (86_401, 172_800),
    ]
    for (wanted, step) in steps { #expect(ConditionDrawing.step(4 * wanted, labels: 4) == step) }
  }
}
