@Test func `the feed loads although the first packets are lost`() async throws {
  let schedule = try FaultSchedule("tunnel", faults: [.outage(from: .zero, for: .milliseconds(30))])
  let run = try await Simulation(replaying: schedule) { network in
    try await readFeed(network)
  }
  #expect(run.unusedFaults.isEmpty)
}
