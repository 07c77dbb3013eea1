import Testing

@testable import NetworkConditions

@Suite struct SimulatedClockTests {
  @Test func `a sleep that is cancelled leaves no timer`() async throws {
    let run = try await Simulation(.unlimited) { network in
      try await withThrowingTaskGroup(of: Void.self) { sleep in
        sleep.addTask { try? await network.clock.sleep(for: .seconds(3_600)) }
        try await network.clock.sleep(for: .seconds(1))
        sleep.cancelAll()
      }
      return network.engine.look { [$0.waiters.sleepers, $0.timers.count] }
    }
    #expect(run.value == [0, 0] && run.elapsed == .seconds(1))
  }
}
