import Foundation
import Internals
import Testing
import struct Synchronization.Atomic

@testable import FailureSearch
@testable import NetworkConditions

@Suite(.enabled(if: CaptureMode.obstacle == nil)) struct SearchRunnerTests {
  private static func runner(_ body: @escaping @Sendable (SimulatedNetwork) async throws -> Void) throws -> SearchRunner
  {
    SearchRunner(
      profiles: [try NetworkProfile.named("3G")], prepare: { _ in }, body: body, transport: nil, capture: .everything,
      options: NetworkOptions(), clients: 1, startsAnywhere: false)
  }

  private static func hang() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }

  @Test func `after eight deadlocks a search waits for a shorter time before it reports the next`() async throws {
    let runner = try Self.runner { _ in await Self.hang() }
    for seed in UInt64(0)..<8 {
      #expect(runner.runOptions.silence == .milliseconds(100))
      let course = try await runner.run(runner.token(runner.profiles[0], seed))
      #expect(course.failure?.fingerprint.isHang == true)
      // The closure may never return, so the verdict describes its run now.
      #expect(Verdict(course).written?.trace == course.trace)
    }
    #expect(runner.runOptions.silence == .zero)
    #expect(runner.listed.runOptions.silence == .zero, "copies count together")
    var careful = runner
    careful.waitsForOutside = true
    #expect(careful.runOptions.silence == .milliseconds(100))
  }

  @Test func `a client that waited for a thread outside of a run has the full wait after each deadlock`() async throws {
    let (asked, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let waiting = Locked<SimulationDriver?>(nil)
    Thread {
      asked.wait()
      // Answer only when the run has nothing left to do but to wait for this thread.
      while waiting.value?.isBusy.load(ordering: .relaxed) != true { sched_yield() }
      answered.signal()
    }.start()
    let runner = try Self.runner { network in
      guard network.seed == 0 else { return await Self.hang() }
      waiting.withLock { $0 = network.engine.simulation }
      asked.signal()
      answered.wait()
    }
    for seed in UInt64(0)..<9 {
      let run = try await runner.run(runner.token(runner.profiles[0], seed))
      #expect((run.failure == nil) == (seed == 0))
    }
    #expect(runner.runOptions.silence == .milliseconds(100))
  }

  @Test func `a verdict contains timeline text only if the client did not return`() async throws {
    struct Broken: Error {}
    let runner = try Self.runner { _ in throw Broken() }
    let verdict = Verdict(try await runner.run(runner.token(runner.profiles[0], 1)))
    #expect(verdict.failure != nil && verdict.written == nil)
  }

  @Test func `the default request limit grows with the number of clients, and an explicit limit does not`() throws {
    var search = try FailureSearch("3G", seeds: 0..<1)
    search.clients = 3
    #expect(try search.makeRunner { _ in }.options.requestLimit == 15_000)
    search.options.requestLimit = 7
    #expect(try search.makeRunner { _ in }.options.requestLimit == 7)
  }

  @Test func `a worker process uses the clients and limits that the search sends with each run`() throws {
    var runner = try FailureSearch("3G", seeds: 0..<1).makeRunner { _ in }
    let own = runner
    (runner.clients, runner.horizon) = (3, .seconds(9))
    (runner.options.patience, runner.options.requestLimit, runner.waitsForOutside) = (.seconds(8), 7, true)
    let order = try #require(WorkerOrder(runner.token(runner.profiles[0], 5), of: runner, isRecorded: true))
    let run = order.run(of: own).runner
    #expect(run.clients == 3 && run.horizon == .seconds(9))
    #expect(run.options.patience == .seconds(8) && run.options.requestLimit == 7 && run.waitsForOutside)
  }
}
