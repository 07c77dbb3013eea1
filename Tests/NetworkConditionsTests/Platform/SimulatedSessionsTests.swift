#if canImport(FoundationNetworking)
  import Foundation
  import Internals
  import Testing

  @testable import NetworkConditions

  struct SimulatedSessionsTests {
    @Test func `a session's call from another thread wakes the simulation, which makes the call`() throws {
      let sessions = SimulatedSessions()
      #expect(sessions.delegateQueue() == nil)
      let driver = SimulationDriver(
        options: NetworkOptions(), capture: .nothing, seed: 0, sessions: sessions,
        crashReport: CrashReporter(.unlimited, seed: 0))
      let calls = Locked(0)
      let queue = try #require(sessions.delegateQueue())
      queue.addOperation { calls.withLock { $0 += 1 } }
      #expect(driver.line.hasNews && calls.value == 0)
      _ = sessions.settle()
      #expect(calls.value == 1)
      // After the simulation the session makes its own calls.
      driver.finish()
      queue.addOperation { calls.withLock { $0 += 1 } }
      queue.waitUntilAllOperationsAreFinished()
      #expect(calls.value == 2)
    }
  }
#endif
