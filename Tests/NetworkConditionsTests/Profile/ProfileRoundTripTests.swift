import Foundation
import LinkSimulator
import Testing

@testable import NetworkConditions

struct ProfileRoundTripTests {
  static let kinds: [RequestFault] = [
    .dnsFailure, .refused, .connectTimeout, .tlsFailure, .reset(after: .bytes(1)),
    .reset(after: .anywhere), .corrupt(at: .anywhere),
    .reset(after: .bytes(4_096), direction: .up), .stall(after: .zero),
    .stall(after: .bytes(9), duration: .seconds(10)),
    .truncate(after: .bytes(1_500)), .corrupt(at: .bytes(100)), .slowClose(delay: .milliseconds(2_500)),
    .idleClose(after: .seconds(60)), .idleForget(after: .seconds(60)), .goAway,
    .resetStream(after: .anywhere), .resetStream(after: .bytes(9)), .drip(bytes: 32, pause: .seconds(59)),
    .status(code: 503), .status(code: 429, retryAfter: .seconds(2)),
    .status(code: 503, retryAfterDateIn: .seconds(2)),
    .status(code: 200, page: "<p>Log in.</p>", times: 3),
    .shorten(to: .bytes(9)), .shorten(to: .anywhere), .redirect(to: "https://portal.example.com/"),
    .stale, .delay(.microseconds(1)),
  ]

  private func check(_ profile: NetworkProfile) throws {
    #expect(try NetworkProfile(json: Data(profile.formatText.utf8)) == profile)
  }

  @Test func `the documented example profile survives writing and reading`() throws {
    try check(try NetworkProfile(json: Data(ProfileFormatTests.tunnel.utf8)))
  }

  @Test func `every built-in profile survives writing and reading`() throws {
    // With a different name, because a rule must not lead back to its own profile.
    for var profile in try NetworkProfile.all {
      profile.name = "copy of \(profile.name)"
      profile.aliases = []
      try check(profile)
    }
  }

  @Test func `a profile made in code survives writing and reading`() throws {
    let inner = NetworkProfile(name: "inner", up: LinkConditions(queue: 1))
    let profile = NetworkProfile(
      name: "all", aliases: ["b"], summary: "s \"quoted\"", source: "here\n",
      base: PathConditions(
        down: LinkConditions(rate: .zero, delay: .nanoseconds(1), jitter: Jitter(.paretoNormal, spread: .zero)),
        up: LinkConditions(loss: .independent(.zero)), dnsDelay: .seconds(3_600), outage: .drop),
      phases: [.init("one", for: .seconds(90), conditions: .unlimited), .init(conditions: .unlimited)],
      rules: [ProfileRule(match: RequestMatch(host: "A.*", path: "/**", method: "get"), use: inner)],
      faults: Self.kinds.map { FaultRule($0, match: RequestMatch(nth: 3), probability: .percent(0.07)) })
    try check(profile)
  }

  @Test func `a loss of 0 % is the same as no loss, in either direction`() {
    let losses: [(LossModel, LossModel)] = [
      (.independent(.zero), .none), (.independent(.percent(1)), .independent(.percent(1))),
    ]
    for (given, kept) in losses {
      let link = LinkConditions(loss: given)
      let profile = NetworkProfile(name: "lossy", down: link, up: link)
      #expect(profile.base.down.loss == kept && profile.base.up.loss == kept)
    }
  }

  @Test func `a written profile is indented and leaves out default values`() {
    let profile = NetworkProfile(
      name: "slow", down: LinkConditions(rate: .kilobitsPerSecond(400), delay: .milliseconds(200)),
      faults: [FaultRule(.status(code: 503), probability: .percent(2))])
    #expect(
      profile.formatText == """
        {
          "version": 1,
          "name": "slow",
          "down": { "rate": "400 kbit/s", "delay": "200 ms" },
          "faults": [
            { "probability": "2 %", "status": { "code": 503 } }
          ]
        }

        """)
  }

  @Test func `changing a profile changes its base and each phase`() throws {
    let profile = try NetworkProfile(json: Data(ProfileFormatTests.tunnel.utf8)).changing { $0.dnsDelay = .seconds(1) }
    #expect(profile.base.dnsDelay == .seconds(1))
    #expect(profile.schedule.phases.allSatisfy { $0.conditions.dnsDelay == .seconds(1) })
    #expect(profile.phases.count == 3)
    #expect(profile.faults.count == 1)
  }
}
