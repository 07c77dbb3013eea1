import ExampleClients
import ExampleSearches
import LinkSimulator
import NetworkConditions
import Testing

/// Failures that the searches found, committed as hand-written schedules and a token.
struct RegressionTests {
  @Test func `the fixed client reads the feed although its first name lookup is lost`() async throws {
    let schedule = try FaultSchedule("tunnel", faults: [.outage(from: .zero, for: .milliseconds(30))])
    let run = try await Simulation(replaying: schedule) { network in try await readFeed(network) }
    #expect(run.unusedFaults.isEmpty)
    await #expect(throws: SimulationFailure.self) { try await ExampleSearch.feed.replay(schedule, .planted) }
  }

  @Test func `the fixed client pays once although the response to its payment is lost`() async throws {
    let schedule = try FaultSchedule(
      "flaky", faults: [.request(.post, "/payments", .reset(after: .bytes(1_200)))])
    let run = try await Simulation(replaying: schedule) { network in try await payOrder(network) }
    #expect(run.unusedFaults.isEmpty)
    await #expect(throws: SimulationFailure.self) { try await ExampleSearch.checkout.replay(schedule, .planted) }
  }

  @Test(arguments: [
    ScheduledFault.request(.get, "/file", .reset(after: .bytes(5_000))),
    .request(.get, "/file", nth: 2, .truncate(after: .bytes(5_000))),
  ])
  func `the fixed client downloads a whole file although one part was cut off`(_ cut: ScheduledFault) async throws {
    let schedule = try FaultSchedule("flaky", faults: [cut])
    let run = try await Simulation(replaying: schedule) { network in try await downloadFile(network) }
    #expect(run.unusedFaults.isEmpty)
    await #expect(throws: SimulationFailure.self) { try await ExampleSearch.download.replay(schedule, .planted) }
  }

  @Test func `a committed replay token gives the same trace hash in 20 runs`() async throws {
    let token = try ReplayToken(
      "netcond1:eyJwYWNrYWdlIjoiMC4xLjAiLCJoYXNoIjoiNDhjMDMzYWVjYjIzMDYyMyIsInNjaGVkdWxlIjoxLCJwcm9maWxlIjoiZmxha3kiLCJzZWVkIjoiMCIsImZhdWx0cyI6W3sibWF0Y2giOnsidXJsIjoiaHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20vcGF5bWVudHMiLCJtZXRob2QiOiJQT1NUIiwibnRoIjoxfSwicmVzZXQiOnsiYWZ0ZXIiOiIwIGJ5dGVzIn19XX0.97d5b11e"
    )
    guard case .schedule(let schedule) = token.content else {
      Issue.record("\(token.content)")
      return
    }
    var hashes: Set<TraceHash> = []
    for _ in 0..<20 { hashes.insert(try await ExampleSearch.checkout.replay(schedule, .fixed).traceHash) }
    #expect(hashes.count == 1)
    let failure = await #expect(throws: SimulationFailure.self) {
      try await ExampleSearch.checkout.replay(schedule, .planted)
    }
    #expect((failure?.error as? ExampleFailure)?.description == "the card was charged 2 times")
  }
}
