import FormatFuzzing
import NetworkConditions
import Testing

@testable import FailureSearch
import URLLoading

/// Texts that people share and commit: a damaged one is refused with a one-line error or can be used.
struct DamagedFileTests {
  private static func share(_ number: Int) async throws -> ExplorationReport {
    var exploration = try FailureSearch.everyFault(upTo: 1, under: "3G")
    exploration.faults = FaultKinds([.status])
    exploration.shard = try #require(FaultExploration.Shard(number, of: 2))
    return try await exploration.run { network in
      network.stub("/a", with: .json("[1, 2, 3]"))
      _ = try await network.data(for: URLRequest(url: #require(URL(string: "https://api.example.com/a"))))
    }
  }

  @Test func `a damaged token is refused with a one-line error or can be read and written back`() throws {
    let schedule = try FaultSchedule(
      "tunnel", seed: 7, faults: [.request(.post, "/pay", nth: 2, .reset(after: 1_200)), .outage(from: .seconds(4))])
    let tokens = [ReplayToken(schedule), ReplayToken(try .named("flaky"), seed: 9, start: .seconds(3))]
    let texts = FuzzOutcome(of: tokens.map { Array("\($0)".utf8) }, count: 500) { bytes, _ in
      _ = try ReplayToken(String(decoding: bytes, as: UTF8.self))
    }
    #expect(texts.unclear.isEmpty, "\(texts.unclear.prefix(3))")
    // With a valid checksum, so that the damage reaches the parser.
    let contents = FuzzOutcome(of: [Array(schedule.formatText.utf8)], count: 500) { bytes, _ in
      let token = ReplayToken(try FaultSchedule(json: Data(bytes)))
      #expect(try ReplayToken("\(token)") == token)
      SimulatedNetwork(replaying: token, pace: .immediate).invalidate()
    }
    #expect(contents.unclear.isEmpty, "\(contents.unclear.prefix(3))")
    #expect((5..<450).contains(contents.accepted), "\(contents.accepted)")
  }

  @Test func `a damaged shard report is refused with a one-line error or can be merged and printed`() async throws {
    let (first, second) = (try await Self.share(1), try await Self.share(2))
    let outcome = FuzzOutcome(of: [Array(try first.json())], count: 400) { bytes, _ in
      var report = try ExplorationReport(json: Data(bytes))
      try? report.merge(second)
      _ = ("\(report)", report.junit(), report.annotations(), try report.json())
    }
    #expect(outcome.unclear.isEmpty, "\(outcome.unclear.prefix(3))")
    #expect((5..<380).contains(outcome.accepted), "\(outcome.accepted)")
  }
}
