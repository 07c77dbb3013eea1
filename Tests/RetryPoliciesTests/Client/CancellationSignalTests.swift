import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct CancellationSignalTests {
    @Test(arguments: [true, false]) func `a signal cancels running work, and work that begins after the signal`(
      isFirst: Bool
    ) throws {
      let (clock, signal) = (TestClock(), CancellationSignal())
      let isCancelled = try inTestTime(clock) {
        if isFirst { signal.raise() }
        async let work = signal.run { (try? await clock.sleep(for: .seconds(9))) == nil }
        try await clock.sleep(for: .seconds(1))
        signal.raise()
        return await work
      }
      #expect(isCancelled && clock.now.time == .seconds(1))
    }
  }
}
