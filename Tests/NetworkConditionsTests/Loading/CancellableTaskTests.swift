import NetworkConditions
import Testing

@testable import URLLoading

struct CancellableTaskTests {
  @Test(arguments: [false, true])
  func `a session's task is cancelled unless it is known to have ended`(hasEnded: Bool) async throws {
    let run = try await Simulation("unlimited") { network in
      network.stub("/", with: .never)
      let task = CancellableTask()
      task.start(network.session.dataTask(with: url("http://a.example/")))
      try await network.clock.sleep(for: .seconds(1))
      if hasEnded { task.finish() }
      task.cancel()
      try await network.clock.sleep(for: .seconds(1))
      return network.timeline.transfers.map { $0.outcome == .running }
    }
    #expect(run.value == [hasEnded])
  }
}
