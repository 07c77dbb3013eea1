import ExampleClients
import ExampleSearches
import FailureSearch
import NetworkConditions
import Testing
import Thoroughness

/// Every fault on each example: the planted mistake is found, and the fixed client survives every fault.
struct ExplorationTests {
  @Test(arguments: Thoroughness.cases(1, of: [ExampleSearch.reader, .resume, .events, .comment].map(\.name)))
  func `a single fault breaks the client with the planted mistake but not the fixed client`(name: String) async throws {
    let example = try #require(ExampleSearch.explored.first { $0.name == name })
    func explore(_ variant: Variant) async throws -> ExplorationReport {
      try await example.explore(variant, under: .named("3G"), changing: { $0.reduction = .classes })
    }
    let report = try await explore(.planted)
    let failure = try #require(report.failures.first)
    #expect(failure.code.contains(example.call))
    #expect(report.splits.count < report.classes / 4)
    // Each wait adds to a request 5 late starts, 3 late ends, 6 stalls and 2 idle closes. Outages and times offline
    // each add 3 in each of 5 states.
    let byWaits = 46 * report.waits.count * report.steps.count
    // Each transfer has 45 points that represent only themselves. Just below its timeout there are a late start, a late
    // end and 2 stalls. The others are 2 late starts, a drip, 2 brown-outs, 4 jumps of the clock, and in each state 2
    // outages and 4 times offline.
    let alone = byWaits + 45 * report.steps.count
    if report.points > 10_000 { #expect((report.levels[0].run - alone) * 50 <= report.points) }
    let token = try ReplayToken(failure.token)
    guard case .schedule(let schedule) = token.content else {
      Issue.record("\(failure.token)")
      return
    }
    #expect(schedule.faults.count == 1)
    await #expect(throws: SimulationFailure.self) { try await example.replay(schedule, .planted) }
    try await example.replay(schedule, .fixed)
    let fixed = try await explore(.fixed)
    #expect(fixed.failures.isEmpty, "\(fixed.failures.map(\.summary))")
  }

  @Test func `a server's idle close makes the client with the planted mistake lose its comment`() async throws {
    func failures(_ variant: Variant) async throws -> [ExplorationReport.Failure] {
      try await ExampleSearch.comment.explore(variant, changing: { $0.faults.kinds = [.idleClose] }).failures
    }
    let failure = try #require(try await failures(.planted).first)
    #expect(failure.example.count == 1 && failure.example[0].contains("closed once idle for 5 s"), "\(failure.example)")
    #expect(failure.text.contains("the comment is there 0 times"), "\(failure.text)")
    #expect(try await failures(.fixed).isEmpty)
  }

  @Test func `two 401 responses are needed to break the client that renews its token twice`() async throws {
    func failures(_ variant: Variant, _ bound: Int) async throws -> [ExplorationReport.Failure] {
      try await ExampleSearch.token.explore(variant, upTo: bound, changing: { $0.faults.kinds = [.status] }).failures
    }
    #expect(try await failures(.planted, 1).isEmpty)
    let failure = try #require(try await failures(.planted, 2).first)
    #expect(failure.example.count == 2 && failure.example.allSatisfy { $0.hasSuffix("status 401") })
    #expect(try await failures(.fixed, 2).isEmpty)
  }
}
