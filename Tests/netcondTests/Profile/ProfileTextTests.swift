import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct ProfileTextTests {
  /// A network whose directions differ in everything.
  private static var conditions: PathConditions {
    var down = LinkConditions(
      rate: .megabitsPerSecond(12), delay: .milliseconds(35), jitter: Jitter(.paretoNormal, spread: .milliseconds(8)),
      loss: .bursts(GilbertElliott(goodToBad: .percent(5), badToGood: .percent(20))), queue: 1)
    down.corruption = .percent(2)
    var up = LinkConditions(rate: .kilobitsPerSecond(780), delay: .milliseconds(7), loss: .independent(.percent(3)))
    up.duplication = .percent(1)
    up.reorder(.percent(4), gap: 5)
    up.reorders = true
    var conditions = PathConditions(down: down, up: up, dnsDelay: .milliseconds(5))
    conditions.device.isConstrained = true
    conditions.udp = .limited(.megabitsPerSecond(1))
    return conditions
  }

  @Test func `the table of a network has one row for each direction`() {
    let lines = ProfileText.links(Self.conditions, width: 200, style: .none).map { $0.split(separator: "  ") }
    let cells = lines.map { $0.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty } }
    #expect(
      cells == [
        ["rate", "delay", "jitter", "reordering", "duplication", "corruption", "loss", "queue", "order"],
        ["down", "12 Mbit/s", "35 ms", "8 ms (pareto-normal)", "2 %", "20 % in bursts of 5", "1 packet"],
        ["up", "780 kbit/s", "7 ms", "4 %", "1 %", "3 %", "may change"],
      ])
  }

  @Test func `a network without impairments has only a rate and a delay`() {
    let lines = ProfileText.links(.unlimited, width: 80, style: .none).map { $0.split(separator: " ").map(String.init) }
    #expect(lines == [["rate", "delay"], ["down", "unlimited", "0", "ms"], ["up", "unlimited", "0", "ms"]])
    let lossless = LinkConditions(loss: .bursts(GilbertElliott(goodToBad: .zero, badToGood: .one)))
    let shown = ProfileText.links(PathConditions(down: lossless, up: lossless), width: 80, style: .none)
    #expect(shown == ProfileText.links(.unlimited, width: 80, style: .none))
    let trace = DeliveryTrace(offsets: [0], period: .milliseconds(2))
    let traced = PathConditions(down: trace.map { LinkConditions(trace: $0) } ?? LinkConditions(), up: LinkConditions())
    #expect(ProfileText.links(traced, width: 80, style: .none)[1].contains("6 Mbit/s"))
    #expect(ProfileText.links(traced, width: 80, style: .none)[1].contains("1 packet in 2 ms"))
  }

  @Test func `the JSON of a profile has each direction's values under its name`() {
    let profile = NetworkProfile(
      name: "odd", base: Self.conditions,
      phases: [NetworkProfile.Phase("out", for: .seconds(3), conditions: PathConditions(outage: .refuse))],
      repeats: true)
    let text = ProfileText.whole(profile).lineText
    #expect(
      text.contains(
        #"""
        "base": {"down": {"rate_bps": 12000000, "delay_s": 0.035, "jitter_s": 0.008, "reordering": 0, \#
        "reordering_gap": 1, "duplication": 0, "corruption": 0.02, "loss": 0.2, "queue_packets": 1}, \#
        "up": {"rate_bps": 780000, "delay_s": 0.007, "jitter_s": null, "reordering": 0.04, "reordering_gap": 5, \#
        "duplication": 0.01, "corruption": 0, "loss": 0.03, "queue_packets": 100}, "dns_delay_s": 0.005, \#
        "outage": null, "udp": "limited", "udp_bps": 1000000
        """#), "\(text)")
    #expect(text.contains(#""constrained": true, "suspended": false}, "repeats": true"#), "\(text)")
    #expect(text.contains(#""phases": [{"name": "out", "duration_s": 3"#) && text.contains(#""outage": "refuse""#))
    let summary = ProfileText.summary(profile).lineText
    #expect(summary.contains(#""down_bps": 12000000, "up_bps": 780000, "rtt_s": 0.042"#), "\(summary)")
    #expect(summary.contains(#""phases": 1, "repeats": true"#), "\(summary)")
  }

  @Test func `the text about a device has only the settings of the profile`() {
    #expect(ProfileText.device(DeviceConditions()) == "")
    #expect(ProfileText.device(Self.conditions.device) == "constrained")
    #expect(ProfileText.rate(nil) == "∞" && ProfileText.rate(.kilobitsPerSecond(5), isShort: true) == "5 k")
  }
}
