import Foundation
import LinkSimulator
import Testing

@testable import NetworkConditions

struct ReplayTokenTests {
  private static func schedule() throws -> FaultSchedule {
    try FaultSchedule(
      "tunnel", seed: .max,
      faults: [
        .request(.post, "https://api.example.com/pay?id=1", nth: 2, .reset(after: .bytes(1200))),
        .request(.get, "/feed", .status(code: 503, retryAfter: .seconds(3))),
        .packetLost(17, .down, of: "api.example.com:443", connection: 2),
        ScheduledFault(
          .packet(PacketName(origin: "dns api", direction: .up, number: 0), .late(nanoseconds: -1_500)), via: "wifi"),
        .outage(.refuse, from: .seconds(4), for: .milliseconds(1_250)),
        ScheduledFault(.phase("portal", from: .seconds(45), for: nil)),
      ])
  }

  @Test func `a replay token contains a whole schedule or a seed with its profile`() throws {
    let schedule = try Self.schedule()
    #expect(try ReplayToken("  \(ReplayToken(schedule))\n") == ReplayToken(schedule))
    let seed = ReplayToken(try .named("3G"), seed: 42, start: .seconds(7))
    #expect(try ReplayToken("\(seed)") == seed)
    #expect("\(seed)".hasPrefix("netcond1:"))
  }

  @Test func `a replay token contains the user's own profile`() throws {
    let own = NetworkProfile(
      name: "mine", down: LinkConditions(rate: .kilobitsPerSecond(400)), faults: [FaultRule(.refused)])
    let token = ReplayToken(FaultSchedule(own, seed: 1, faults: [.outage(from: .zero)]))
    #expect(try ReplayToken("\(token)") == token)
  }

  @Test func `a schedule survives its JSON form and Foundation's coders`() throws {
    let schedule = try Self.schedule()
    #expect(try FaultSchedule(json: Data(schedule.formatText.utf8)) == schedule)
    #expect(try JSONDecoder().decode(FaultSchedule.self, from: JSONEncoder().encode(schedule)) == schedule)
    let written = """
      { "schedule": 1, "profile": "3g", "faults": [
        { "match": { "method": "post", "path": "/pay", "nth": 2 }, "reset": { "after": "1200 bytes" } },
        { "outage": "drop", "from": "4 s", "for": "12 s" } ] }
      """
    let expected = try FaultSchedule(
      "3G",
      faults: [
        .request(.post, "/pay", nth: 2, .reset(after: .bytes(1200))), .outage(from: .seconds(4), for: .seconds(12)),
      ])
    #expect(try FaultSchedule(json: Data(written.utf8)) == expected)
  }

  @Test(arguments: [
    (#"{ "profile": "3G" }"#, #"schedule: the key "schedule" is missing; write "schedule": 1"#),
    (
      #"{ "schedule": 2, "profile": "3G" }"#,
      #"schedule: schedule: 2 is not a version that this package reads; it reads version 1"#
    ),
    (
      #"{ "schedule": 1, "profile": "3G", "seed": 42 }"#,
      #"schedule: seed: 42 is not a seed; write for example "seed": "42""#
    ),
    (
      #"{ "schedule": 1, "profile": "tunnel", "faults": [{ "phase": "portl", "from": "1 s" }] }"#,
      #"schedule: faults[0].phase: "tunnel" has no phase "portl"; it has "open track", "portal", "tunnel""#
    ),
    (
      #"{ "schedule": 1, "profile": "3G", "faults": [{ "packet": 1, "of": "a:80", "direction": "up" }] }"#,
      #"schedule: faults[0]: a packet's fault is exactly one of "lost": true, "corrupted": true, "doubled": true, "ahead": true, "late": "20 ms" or "early": "5 ms""#
    ),
    (
      #"{ "schedule": 1, "profile": "3G", "faults": [{ "refused": true, "probability": "5 %" }] }"#,
      #"schedule: faults[0]: a scheduled fault always happens, so it has no "probability"; leave it out"#
    ),
    (
      #"{ "schedule": 1, "profile": "3G", "faults": [{ "outage": "drop" }] }"#,
      #"schedule: faults[0]: the key "from" is missing; write for example "from": "45 s""#
    ),
    (
      #"{ "schedule": 1, "profile": "3G", "faults": [{ "outage": "lost", "from": "1 s" }] }"#,
      #"schedule: faults[0].outage: "lost" is not an outage; write "drop" or "refuse""#
    ),
    (
      #"{ "schedule": 1, "profile": "3G", "faults": [{ "suspended": false, "from": "1 s", "for": "2 s" }] }"#,
      #"schedule: faults[0]: write "suspended": true, "from": "45 s", "for": "12 s""#
    ),
  ])
  func `an error in a schedule names the place and what would be right`(_ json: String, _ text: String) throws {
    let error = #expect(throws: ProfileError.self) { try FaultSchedule(json: Data(json.utf8)) }
    #expect(error?.sentence == text)
  }

  @Test(arguments: [
    ("netcond1:abc", true), ("netcond99:", true), ("netcond:abc", false), ("netcond1", false), ("netcondx:1", false),
    ("network1:abc", false), ("netcond-1:abc", false), ("", false),
  ])
  func `a text with the prefix of any version is called a token`(text: String, isToken: Bool) {
    #expect(ReplayToken.isToken(text) == isToken)
  }

  @Test func `foreign, newer, damaged and truncated tokens give different errors`() throws {
    let token = "\(ReplayToken(try Self.schedule()))"
    func error(_ text: String) -> ReplayTokenError? { #expect(throws: ReplayTokenError.self) { try ReplayToken(text) } }
    #expect(error("hello") == .foreign("hello"))
    #expect(error("") == .foreign(""))
    #expect(error("netcond2:abc") == .newer("2"))
    #expect(error("netcond0:abc") == .foreign("netcond0:abc"))
    #expect(error(String(token.dropLast(3))) == .damaged("its checksum is wrong"))
    #expect(error(String(token.prefix(40))) == .damaged("its end is missing"))
    for index in token.indices.dropFirst(9).dropLast() where token[index] != "A" {
      var changed = token
      changed.replaceSubrange(index...index, with: "A")
      #expect(throws: ReplayTokenError.self) { try ReplayToken(changed) }
    }
  }

  @Test func `a token of another package version or a changed profile is refused as stale`() throws {
    /// A token as another version of the package, or of its profiles, would write it.
    func token(_ change: (String) -> String) throws -> String {
      let text = "\(ReplayToken(try .named("3G"), seed: 42))".dropFirst(9).split(separator: ".")[0]
      let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
      let payload = change(String(decoding: try #require(Data(base64Encoded: String(padded))), as: UTF8.self))
      let sum = TraceHash(of: payload).description.suffix(8)
      return "netcond1:\(Data(payload.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")).\(sum)"
    }
    #expect(try ReplayToken(try token { $0 }) == ReplayToken(try .named("3G"), seed: 42))
    let older = try token { $0.replacingOccurrences(of: #""0.1.0""#, with: #""0.0.9""#) }
    #expect(throws: ReplayTokenError.stale("it was made with version 0.0.9 of the package, and this is 0.1.0")) {
      try ReplayToken(older)
    }
    #expect(try ReplayToken(older, acceptsStale: true) == ReplayToken(try .named("3G"), seed: 42))
    let other = try token { $0.replacingOccurrences(of: #""3G""#, with: #""4G""#) }
    #expect(throws: ReplayTokenError.stale(#"the profile "4G" has changed since it was made"#)) {
      try ReplayToken(other)
    }
    let gone = try token { $0.replacingOccurrences(of: #""3G""#, with: #""no such profile""#) }
    #expect(throws: ReplayTokenError.self) { try ReplayToken(gone) }
  }
}
