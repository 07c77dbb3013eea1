import Foundation
import LinkSimulator
import Testing

@testable import NetworkConditions

struct ProfileFormatTests {
  private static let controls = PathConfiguration.CongestionControl.allCases.map(\.rawValue.quoted)
    .joined(separator: " or ")
  private static let faults = FaultFormat.kinds.map { $0.key.quoted }.joined(separator: ", ")

  /// The example of the format's description.
  static let tunnel = """
    {
      "version": 1,
      "name": "my tunnel", "aliases": ["my train"], "summary": "LTE on a train", "source": "measured",
      "down": { "rate": "12 Mbit/s", "delay": "35 ms", "jitter": { "normal": "8 ms", "correlation": "25 %" },
                "loss": "0.1 %", "queue": "50 packets", "reorder": true },
      "up":   { "rate": "unlimited",  "delay": "36 ms",
                "loss": { "p": "1 %", "r": "20 %", "1-h": "90 %", "1-k": "1 %" } },
      "dns":  { "delay": "40 ms" },
      "phases": [ { "name": "open track", "for": "45 s" },
                  { "name": "portal", "for": "3 s",
                    "down": { "rate": "240 kbit/s", "loss": { "mean": "8 %", "burst": 4 } } },
                  { "name": "tunnel", "for": "12 s", "outage": "drop" } ],
      "repeat": true,
      "rules":  [ { "match": { "host": "*.cdn.example" }, "use": "wifi" } ],
      "faults": [ { "match": { "path": "/pay", "method": "post", "nth": 2 }, "probability": "2 %",
                    "reset": { "after": "1200 bytes" } } ]
    }
    """

  @Test func `a phase keeps each device setting of its profile that the phase does not set`() throws {
    let profile = try NetworkProfile(
      json: Data(
        #"""
        { "name": "x", "device": { "interface": "cellular", "constrained": true },
          "phases": [ { "name": "p", "for": "1 s", "device": { "suspended": true } } ] }
        """#.utf8))
    var device = DeviceConditions()
    (device.interface, device.isConstrained, device.suspendsApp) = (.cellular, true, true)
    #expect(profile.phases[0].conditions.device == device)
  }

  @Test func `a profile with conditions, phases, rules and faults is read`() throws {
    let profile = try NetworkProfile(json: Data(Self.tunnel.utf8))
    #expect(profile.name == "my tunnel")
    #expect(profile.aliases == ["my train"])
    #expect(profile.summary == "LTE on a train")
    #expect(profile.source == "measured")
    let down = profile.base.down
    #expect(down.rate == .megabitsPerSecond(12))
    #expect(down.delay == .milliseconds(35))
    #expect(down.jitter == Jitter(.normal, spread: .milliseconds(8), correlation: .percent(25)))
    #expect(down.loss == .independent(.percent(0.1)))
    #expect(down.queue == 50)
    #expect(down.reorders)
    #expect(profile.base.up.rate == nil)
    #expect(profile.base.up.queue == LinkConditions.defaultQueue)
    let chain = GilbertElliott(
      goodToBad: .percent(1), badToGood: .percent(20), lossWhenBad: .percent(90), lossWhenGood: .percent(1))
    #expect(profile.base.up.loss == .bursts(chain))
    #expect(profile.base.dnsDelay == .milliseconds(40))
    #expect(profile.phases.map(\.name) == ["open track", "portal", "tunnel"])
    #expect(profile.phases.map(\.duration) == [.seconds(45), .seconds(3), .seconds(12)])
    #expect(profile.repeats)
    #expect(profile.rules == [ProfileRule(match: RequestMatch(host: "*.cdn.example"), use: "wifi")])
    #expect(
      profile.faults == [
        FaultRule(
          .reset(after: .bytes(1_200)), match: RequestMatch(path: "/pay", method: "POST", nth: 2),
          probability: .percent(2))
      ])
  }

  @Test func `impairments survive writing and reading a profile`() throws {
    let text = """
      { "name": "rough", "down": { "delay": "9 ms", "reordering": { "share": "25 %", "gap": 5 }, "duplication": "1 %",
        "corruption": "0.5 %", "loss": "2 %" }, "up": { "delay": "9 ms", "reordering": "3 %" },
        "phases": [{ "for": "1 s", "down": { "duplication": "0 %" } }, { "for": "1 s" }], "repeat": true }
      """
    let profile = try NetworkProfile(json: Data(text.utf8))
    #expect(profile.base.down.duplication == .percent(1) && profile.base.down.corruption == .percent(0.5))
    #expect(profile.phases[0].conditions.down.duplication == .zero)
    #expect(profile.phases[0].conditions.down.corruption == .percent(0.5))
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
  }

  @Test func `a phase inherits the values of the base that it does not change`() throws {
    let profile = try NetworkProfile(json: Data(Self.tunnel.utf8))
    #expect(profile.phases[0].conditions == profile.base)
    var portal = profile.base
    portal.down.rate = .kilobitsPerSecond(240)
    portal.down.loss = .bursts(try #require(GilbertElliott(mean: .percent(8), burst: 4)))
    #expect(profile.phases[1].conditions == portal)
    #expect(profile.phases[2].conditions.outage == .drop)
    #expect(profile.schedule.phases.map(\.conditions) == profile.phases.map(\.conditions))
    #expect(
      profile.schedule.conditions(at: SimulatedInstant(nanoseconds: 106_000_000_000)).down.rate == portal.down.rate)
  }

  @Test func `a phase can remove conditions that the base sets`() throws {
    let text = """
      { "name": "x", "outage": "refuse", "down": { "rate": "1 Mbit/s", "jitter": { "pareto": "1 ms" }, "loss": "3 %" },
        "phases": [ { "outage": "none", "down": { "rate": "unlimited", "jitter": "none", "loss": "0 %" } } ] }
      """
    let profile = try NetworkProfile(json: Data(text.utf8))
    #expect(profile.base.outage == .refuse)
    #expect(profile.phases[0].conditions == .unlimited)
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
  }

  @Test func `TCP, HTTP, TLS and NAT settings survive writing and reading a profile`() throws {
    let text = """
      { "name": "old", "tcp": { "congestion": "reno" },
        "http": { "version": "1.1", "connectionsPerHost": 2, "streamsPerConnection": 8, "keepAlive": "5 s", "serverKeepAlive": "60 s",
          "repeats": "none", "scheduling": "fair" },
        "http3": { "announced": "Alt-Svc", "migration": "both", "validatesAddresses": true, "resumesSessions": true },
        "nat": { "timeout": "120 s" }, "tls": { "certificates": "410 bytes", "computing": "4 ms" },
        "phases": [{ "for": "1 s" }] }
      """
    let profile = try NetworkProfile(json: Data(text.utf8))
    var ends = PathConfiguration()
    ends.congestionControl = .reno
    (ends.connectionsPerHost, ends.streamsPerConnection, ends.keepAlive) = (2, 8, .seconds(5))
    (ends.certificates, ends.handshakeComputing) = (410, .milliseconds(4))
    (ends.serverKeepAlive, ends.natTimeout, ends.repeats) = (.seconds(60), .seconds(120), .none)
    (ends.scheduling, ends.secureVersion) = (.fair, .http1)
    (ends.http3Announcement, ends.migration) = (.answers, .both)
    (ends.validatesAddresses, ends.resumesSessions) = (true, true)
    #expect(profile.configuration == ends)
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
    #expect(profile.changing { $0.dnsDelay = .seconds(1) }.configuration == ends)
    #expect(profile.starting(at: .milliseconds(500)).configuration == ends)
    #expect(try ReplayToken("\(ReplayToken(profile, seed: 1))") == ReplayToken(profile, seed: 1))
    #expect(!NetworkProfile.unlimited.formatText.contains("tcp"))
  }

  @Test func `phases inherit the DevTools model unless they name another`() throws {
    let text = """
      { "name": "x", "model": "devtools", "down": { "rate": "1 Mbit/s", "delay": "100 ms" },
        "phases": [ { "for": "1 s" }, { "for": "1 s", "up": { "rate": "5 Mbit/s" } }, { "model": "link" } ] }
      """
    let profile = try NetworkProfile(json: Data(text.utf8))
    #expect(profile.phases.map(\.conditions.model) == [.devTools, .devTools, .link])
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
    #expect(profile.description.contains("as Chrome's DevTools throttle"))
    #expect(!NetworkProfile.unlimited.formatText.contains("model"))
  }

  /// Each replaces the `$` in an otherwise correct profile.
  @Test(arguments: [
    (#""down": {"rate": "12 parsecs"}"#, #"down.rate: "12 parsecs" is not a rate; write for example "780 kbit/s""#),
    (#""down": {"rate": 780}"#, #"down.rate: 780 has no unit; write for example "780 kbit/s""#),
    (#""down": {"rate": null}"#, #"down.rate: null is not a rate; write for example "780 kbit/s""#),
    (#""up": {"delay": "-5 ms"}"#, #"up.delay: "-5 ms" is negative; write for example "100 ms""#),
    (#""up": {"delay": 1e400}"#, #"up.delay: 1e400 has no unit; write for example "100 ms""#),
    (#""up": {"loss": "101 %"}"#, #"up.loss: "101 %" is more than 100 %; write for example "1 %""#),
    (#""up": {"loss": 0.01}"#, #"up.loss: 0.01 has no unit; write for example "1 %""#),
    (#""up": {"queue": 100}"#, #"up.queue: 100 has no unit; write for example "100 packets""#),
    (
      #""http": {"repeats": "POST"}"#,
      #"http.repeats: "POST" is not a valid choice of requests that are sent again; write "none" or "idempotent" or "bodiless""#
    ),
    (
      #""device": {"interface": 5}"#,
      #"device.interface: 5 is not an interface; write "wifi", "cellular", "wired" or a name"#
    ),
    (
      #""device": {"app": "asleep"}"#,
      #"device.app: unknown key; a device has the keys "interface", "constrained", "suspended""#
    ),
    (
      #""up": {"reordering": {"share": "5 %", "gap": 2.5}}"#,
      "up.reordering.gap: 2.5 is not a gap, a whole number of packets, 1 or more"
    ),
    (
      #""up": {"reordering": {"share": "5 %", "gap": 0}}"#,
      "up.reordering.gap: 0 is not a gap, a whole number of packets, 1 or more"
    ),
    (#""nat": {"timeout": 5}"#, #"nat.timeout: 5 has no unit; write for example "100 ms""#),
    (#""nat": {}"#, #"nat: the key "timeout" is missing; write for example "timeout": "5 min""#),
    (#""up": {"reorder": "yes"}"#, #"up.reorder: "yes" is neither true nor false"#),
    (#""down": {"dealy": "1 ms"}"#, #"down.dealy: unknown key; did you mean "delay"?"#),
    (#""fautls": []"#, #"fautls: unknown key; did you mean "faults"?"#),
    (
      #""dns": {"q\n": 1}"#, #"dns."q\u{a}": unknown key; name resolution has the keys "delay""#
    ),
    (#""dns": "40 ms""#, #"dns: found "40 ms" where name resolution should be, an object in braces"#),
    (#""model": "chrome""#, #"model: "chrome" is not a valid model; write "link" or "devtools""#),
    (
      #""model": "devtools", "up": {"rate": "1 Mbit/s", "loss": "1 %"}"#,
      #"up.loss: the model "devtools" has only a rate and a delay, and no packets; leave it out"#
    ),
    (
      #""model": "devtools", "phases": [{"down": {"queue": "9 packets"}}]"#,
      #"phases[0].down.queue: the model "devtools" has only a rate and a delay, and no packets; leave it out"#
    ),
    (#""dns": {}"#, #"dns: the key "delay" is missing; write for example "delay": "40 ms""#),
    (#""outage": "dorp""#, #"outage: "dorp" is not an outage; write "drop", "refuse" or "none""#),
    (
      #""tcp": {"congestion": "vegas"}"#,
      #"tcp.congestion: "vegas" is not a valid congestion control; write \#(controls)"#
    ),
    (#""tcp": {}"#, #"tcp: the key "congestion" is missing; write for example "congestion": "reno""#),
    (
      #""http": {"connectionsPerHost": 0}"#,
      "http.connectionsPerHost: 0 is not a number of connections, a whole number from 1 up"
    ),
    (#""tls": {}"#, "tls: TLS is empty; leave it out"),
    (#""tls": {"computing": "-1 ms"}"#, #"tls.computing: "-1 ms" is negative; write for example "100 ms""#),
    (#""http": {"version": "4"}"#, #"http.version: "4" is not a valid version of HTTP; write "1.1" or "2" or "3""#),
    (#""http": {}"#, "http: HTTP is empty; leave it out"),
    (#""version": 2"#, "version: 2 is not a version that this package reads; it reads version 1"),
    (#""version": "1""#, #"version: "1" is not a version that this package reads; it reads version 1"#),
    (#""phases": {}"#, "phases: found an object where the phases should be, a list in square brackets"),
    (
      #""phases": [{"for": "1 s"}, {"for": "0 s"}]"#,
      #"phases[1].for: "0 s" is not a length for a phase; write more than 0, for example "45 s""#
    ),
    (
      #""phases": [{"name": "a"}, {"for": "1 s"}]"#,
      #"phases[0]: the key "for" is missing; write for example "for": "45 s", since only the last phase of a "#
        + "profile that does not repeat may last for ever"
    ),
    (
      #""phases": [{"for": "1 s"}, {"name": "a"}], "repeat": true"#,
      #"phases[1]: the key "for" is missing; write for example "for": "45 s", since only the last phase of a "#
        + "profile that does not repeat may last for ever"
    ),
    (#""phases": []"#, #"phases: the list is empty; leave the key "phases" out"#),
    (#""rules": []"#, #"rules: the list is empty; leave the key "rules" out"#),
    (#""faults": []"#, #"faults: the list is empty; leave the key "faults" out"#),
    (#""aliases": []"#, #"aliases: the list is empty; leave the key "aliases" out"#),
    (#""aliases": ["y", "X"]"#, #"aliases[1]: "X" is already a name of this profile; leave it out"#),
    (#""down": {}"#, "down: this direction is empty; leave it out"),
    (
      #""phases": [{"name": " a", "for": "1 s"}]"#,
      #"phases[0].name: " a" is not a name; write 1 to 100 characters, on one line, without spaces around them"#
    ),
    (
      #""phases": [{"for": "10 us"}, {"for": "20 us"}], "repeat": true"#,
      "phases: the phases repeat every 30 us; they may repeat no faster than every 1 ms"
    ),
    (#""repeat": true"#, #"repeat: there are no phases to repeat; give "phases" or leave "repeat" out"#),
    (
      #""phases": [{"for": "1 s"}, {"for": "1 s"}, {"for": "1 s", "down": {"rate": "12 parsecs"}}]"#,
      #"phases[2].down.rate: "12 parsecs" is not a rate; write for example "780 kbit/s""#
    ),
    (
      #""down": {"jitter": "8 ms"}"#,
      #"down.jitter: "8 ms" does not name a distribution, one of "uniform", "normal", "pareto", "paretoNormal"; "#
        + #"write for example {"normal": "8 ms"}"#
    ),
    (
      #""down": {"jitter": 8}"#,
      #"down.jitter: 8 does not name a distribution, one of "uniform", "normal", "pareto", "paretoNormal"; "#
        + #"write for example {"normal": "8 ms"}"#
    ),
    (
      #""down": {"jitter": {"normal": "8 ms", "uniform": "1 ms"}}"#,
      #"down.jitter.normal: jitter has one distribution, and "uniform" is already given"#
    ),
    (
      #""down": {"loss": {"mean": "8 %"}}"#,
      #"down.loss: the key "burst" is missing; write for example {"mean": "8 %", "burst": 4}"#
    ),
    (
      #""down": {"loss": {"mean": "90 %", "burst": 2}}"#,
      "down.loss: bursts of 2 cannot lose 90 % on average; at that mean they must be at least 9 long"
    ),
    (
      #""down": {"loss": {"mean": "100 %", "burst": 4}}"#,
      #"down.loss.mean: "100 %" would lose everything; write "loss": "100 %""#
    ),
    (
      #""down": {"loss": {"mean": "8 %", "burst": "4"}}"#,
      #"down.loss.burst: "4" is not a mean number of packets lost in a row, a number of 1 or more"#
    ),
    (
      #""down": {"loss": {"mean": "8 %", "burst": 4, "p": "1 %"}}"#,
      #"down.loss.p: loss in bursts is written either as "mean" and "burst" or as "p", "r", "1-h" and "1-k""#
    ),
    (
      #""faults": [{"probability": "2 %"}]"#,
      #"faults[0]: the kind of fault is missing; write one of \#(faults)"#
    ),
    (
      #""faults": [{"refused": true, "delay": "1 s"}]"#,
      #"faults[0]: a fault has one kind, but this has both "refused" and "delay""#
    ),
    (#""faults": [{"drip": {}}]"#, #"faults[0].drip: the key "bytes" is missing; write for example "bytes": 32"#),
    (
      #""faults": [{"drip": {"bytes": 1}}]"#,
      #"faults[0].drip: the key "pause" is missing; write for example "pause": "2 s""#
    ),
    (#""faults": [{"status": {}}]"#, #"faults[0].status: the key "code" is missing; write for example "code": 503"#),
    (
      #""faults": [{"stall": {}}]"#,
      #"faults[0].stall: the key "after" is missing; write for example "after": "1200 bytes", or "anywhere""#
    ),
    (#""faults": [{"refused": false}]"#, #"faults[0].refused: write "refused": true"#),
    (
      #""faults": [{"status": {"code": 1000}}]"#,
      "faults[0].status.code: 1000 is not a status, a whole number from 100 to 599"
    ),
    (
      #""faults": [{"match": {"nth": 0}, "refused": true}]"#,
      "faults[0].match.nth: 0 is not the turn of a request, a whole number from 1 up"
    ),
    (
      #""faults": [{"stall": {"after": "1 KiB", "for": "0 s"}}]"#,
      #"faults[0].stall.for: "0 s" is not a length for a stall; write more than 0, for example "45 s""#
    ),
    (
      #""faults": [{"reset": {"after": "1 B", "direction": "left"}}]"#,
      #"faults[0].reset.direction: "left" is not a direction; write "up" or "down""#
    ),
    (
      #""faults": [{"truncate": {"after": 1200}}]"#,
      #"faults[0].truncate.after: 1200 has no unit; write for example "1200 bytes""#
    ),
    (
      #""rules": [{"match": {"nth": 1}, "use": "wifi"}]"#,
      #"rules[0].match.nth: unknown key; a match has the keys "host", "path", "url", "scheme", "method""#
    ),
    (
      #""rules": [{"match": {"path": "pay"}, "use": "wifi"}]"#,
      #"rules[0].match.path: "pay" is not a pattern of a path, which begins with a slash; write "/pay""#
    ),
    (
      #""rules": [{"match": {"host": "https://a"}, "use": "wifi"}]"#,
      #"rules[0].match.host: "https://a" is not a pattern of a host; write for example "*.cdn.example""#
    ),
    (
      #""rules": [{"match": {}, "use": "wifi"}]"#,
      "rules[0].match: the match is empty; leave it out to match every request"
    ),
    (
      #""rules": [{"match": {"host": "a.example:8080"}, "use": "wifi"}]"#,
      #"rules[0].match.host: a host has no port; write "a.example""#
    ),
    (
      #""rules": [{"match": {"host": "bücher.example"}, "use": "wifi"}]"#,
      #"rules[0].match.host: "bücher.example" is not ASCII, as a URL's host must be; write its form in xn--, or "*""#
    ),
    (
      #""faults": [{"match": {"path": "/pay?id=1"}, "refused": true}]"#,
      #"faults[0].match.path: a path has no query; write "/pay", or the whole "url""#
    ),
    (
      #""faults": [{"match": {"path": "/a%20b"}, "refused": true}]"#,
      #"faults[0].match.path: a path is matched without its percent-encoding; write "/a b""#
    ),
    (
      #""faults": [{"match": {"path": "/a", "url": "http://a.example/a"}, "refused": true}]"#,
      "faults[0].match.url: a whole URL already contains the host and the path; leave those out"
    ),
    (
      #""faults": [{"drip": {"bytes": 1, "pause": "0 ms"}}]"#,
      "faults[0].drip: a drip needs a pause longer than 0, not 0.0 seconds"
    ),
    (
      #""faults": [{"match": {"scheme": "ftp"}, "refused": true}]"#,
      #"faults[0].match.scheme: "ftp" is not a scheme; write "http" or "https""#
    ),
    (
      #""faults": [{"match": {"url": "/pay"}, "refused": true}]"#,
      #"faults[0].match.url: "/pay" is not a whole URL; write for example "https://api.example.com/pay?id=1", or a "path""#
    ),
    (
      #""faults": [{"match": {"method": "GET, POST"}, "refused": true}]"#,
      #"faults[0].match.method: "GET, POST" is not a method; write for example "POST""#
    ),
    (
      #""rules": [{"match": {"host": "a"}, "use": "wifi"}, {"match": {"host": "a"}, "use": "3G"}]"#,
      "rules[1]: no request gets this far, because rules[0] matches all of them; the first match decides"
    ),
    (
      #""rules": [{"use": "wifi"}, {"match": {"path": "/a"}, "use": "3G"}]"#,
      "rules[1]: no request gets this far, because rules[0] matches all of them; the first match decides"
    ),
    (
      #""rules": [{"use": {"name": "x", "outage": "drop"}}]"#,
      #"rules[0].use: another profile is called "x" here; rename one"#
    ),
    (
      #""rules": [{"match": {"host": "a"}, "use": "wifi"}, {"use": {"name": "wifi"}}]"#,
      #"rules[1].use: another profile is called "wifi" here; rename one"#
    ),
    (
      #""aliases": ["", "b"]"#,
      #"aliases[0]: "" is not a name; write 1 to 100 characters, on one line, without spaces around them"#
    ),
  ])
  func `a wrong value in a profile is an error with its place and what to write`(members: String, message: String) {
    let text = #"{"name": "x", \#(members)}"#
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(json: Data(text.utf8), file: "t.json") }
    #expect(error?.sentence == "t.json: \(message)")
  }

  @Test(arguments: [
    ("[]", "found a list where a profile should be, an object in braces"),
    ("{}", #"the key "name" is missing; write for example "name": "tunnel""#),
    (#"{"profiles": []}"#, "the list of profiles is empty"),
    (
      #"{"profiles": [{"name": "a"}, {"name": "b", "up": 1}]}"#,
      "profiles[1].up: found 1 where a direction should be, an object in braces"
    ),
    (#"{"profiles": [{"name": "a"}, {"name": "b"}]}"#, "profiles: contains 2 profiles where one is expected"),
  ])
  func `a malformed profile document is an error that says what to write`(text: String, message: String) {
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(json: Data(text.utf8), file: "t.json") }
    #expect(error?.sentence == "t.json: \(message)")
  }

  @Test func `profiles in a list inherit the list's source`() throws {
    let text = #"{"source": "all", "profiles": [{"name": "a"}, {"name": "b", "source": "own"}]}"#
    let profiles = try NetworkProfile.profiles(json: Data(text.utf8))
    #expect(profiles.map(\.source) == ["all", "own"])
  }
}
