import ExampleClients
import ExampleSearches
import FailureSearch
import Foundation
import NetworkConditions
import NetworkConditionsTesting
import Pictures
import Testing

// The code of FailureSearch's documentation, line by line, and a check of the output that it shows.

@Test func `the feed loads although the first packets are lost`() async throws {
  let schedule = try FaultSchedule("tunnel", faults: [.outage(from: .zero, for: .milliseconds(30))])
  let run = try await Simulation(replaying: schedule) { network in
    try await readFeed(network)
  }
  #expect(run.unusedFaults.isEmpty)
}

struct FindingAFlakyBugTests {
  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `the documentation shows the report and the picture that the search prints`() async throws {
    var search = try FailureSearch("tunnel", seeds: 0..<10_000)
    search.code = .test(calling: "try await readFeed(NetworkUnderTest.network)")
    let report = try await search.run { network in
      try await readFeed(network, .planted)
    }
    print(report)

    #expect(try Self.resource("find-report.txt") == "\(report)\n")
    let drawing = try #require("\(report)".split(separator: "\n\n").first { $0.contains("GET /feed") })
    let title = "Eight requests of the feed, each cancelled; an outage stands at the beginning of the first"
    #expect(
      try Picture.isCurrent("feed.svg", of: "FailureSearch", Picture.terminal(String(drawing), title: title)))
    let page = try Self.resource("../FindingAFlakyBug.md")
    for line in "\(report)".split(separator: "\n").prefix(4) { #expect(page.contains(line), "\(line)") }
  }

  @Test func `the search on the landing page finds no failure in the fixed client`() async throws {
    let report = try await FailureSearch("tunnel", "flaky", seeds: 0..<15).run { network in
      try await readFeed(network)
    }
    #expect(report.failures.isEmpty, "\(report)")
  }

  /// Compiled only: further settings of a search.
  private func settings(_ folder: URL) async throws {
    var search = try FailureSearch("subway", "tunnel", "flaky", seeds: 0..<1_000, until: .allFailures)
    search.clients = 3
    search.known = KnownFailures(folder: folder, name: "feed")
    let report = try await search.run { network in
      try await readFeed(network)
    }
    for failure in report.failures { print(failure.summary) }
  }

  private static func resource(_ path: String) throws -> String {
    let file = Picture.root.appendingPathComponent("Sources/FailureSearch/FailureSearch.docc/Resources/\(path)")
    return try String(contentsOf: file, encoding: .utf8)
  }
}
