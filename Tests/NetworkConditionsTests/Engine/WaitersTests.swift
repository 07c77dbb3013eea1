import LinkSimulator
import Testing
import URLLoading

@testable import NetworkConditions

struct WaitersTests {
  @Test func `a client that has suspended its task waits for nothing`() {
    var waiters = Waiters()
    #expect(!waiters.isAnyone(of: 0))
    #expect(waiters.isAnyone(of: 1))
    waiters.suspended = 1
    #expect(!waiters.isAnyone(of: 1))
    #expect(waiters.isAnyone(of: 2))
    waiters.sleepers = 1
    #expect(waiters.isAnyone(of: 1))
  }

  @Test func `a sleep until the end of simulated time does not make time advance`() {
    var waiters = Waiters()
    waiters.horizons = 1
    #expect(!waiters.isAnyone(of: 0))
  }

  @Test func `time goes on for listeners until an hour after a client last waited`() {
    var waiters = Waiters()
    func areInterested(in next: Int, of exchanges: Int, at now: Int) -> Bool {
      func second(_ seconds: Int) -> SimulatedInstant { .zero.advanced(by: .seconds(seconds)) }
      return waiters.areInterested(in: second(next), of: exchanges, at: second(now))
    }
    #expect(areInterested(in: 3_600, of: 0, at: 0))
    #expect(!areInterested(in: 3_601, of: 0, at: 0))
    #expect(areInterested(in: 9_000, of: 1, at: 10))
    #expect(areInterested(in: 3_610, of: 0, at: 20))
    #expect(!areInterested(in: 3_611, of: 0, at: 20))
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a suspended task that is cancelled no longer counts as suspended`() async throws {
    let run = try await Simulation("3G") { network in
      network.stub("/", with: .never)
      let task = network.session.dataTask(with: url("https://x.example/"))
      task.resume()
      try await network.clock.sleep(for: .seconds(2))
      task.suspend()
      try await network.clock.sleep(for: .seconds(1))
      let during = network.engine.look { $0.waiters.suspended }
      task.cancel()
      try await network.clock.sleep(for: .seconds(1))
      return [during, network.engine.look { $0.waiters.suspended }]
    }
    #expect(run.value == [1, 0])
  }
}
