import NetworkConditions
import Testing

@testable import FailureSearch

@Suite(.enabled(if: CaptureMode.obstacle == nil)) struct SearchTrialTests {
  @Test func `after eight deadlocks a search waits for a shorter time before it reports the next`() async throws {
    let trial = SearchTrial(
      profiles: [try NetworkProfile.named("3G")], prepare: { _ in },
      body: { _ in await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }, transport: nil,
      capture: .everything, options: NetworkOptions(), clients: 1, startsAnywhere: false)
    for seed in UInt64(0)..<8 {
      #expect(trial.runOptions.silence == .milliseconds(100))
      let course = try await trial.course(trial.token(trial.profiles[0], seed))
      #expect(course.failure?.fingerprint.isHang == true)
      // The closure may never return, so the verdict describes its run now.
      #expect(Verdict(course).telling?.trace == course.trace)
    }
    #expect(trial.runOptions.silence == .milliseconds(20))
    #expect(trial.listed.runOptions.silence == .milliseconds(20), "copies count together")
  }

  @Test func `a verdict has no timeline text of a run whose client returned`() async throws {
    struct Broken: Error {}
    let trial = SearchTrial(
      profiles: [try NetworkProfile.named("3G")], prepare: { _ in }, body: { _ in throw Broken() }, transport: nil,
      capture: .everything, options: NetworkOptions(), clients: 1, startsAnywhere: false)
    let verdict = Verdict(try await trial.course(trial.token(trial.profiles[0], 1)))
    #expect(verdict.failure != nil && verdict.telling == nil)
  }
}
