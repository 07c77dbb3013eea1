import NetworkConditions

#if os(Linux) && (arch(x86_64) || arch(arm64))
  import Foundation
  import Internals
  import Interposition

  /// Tries, before anything relies on it, whether a virtual second passes in no real time in each way that a client may
  /// wait.
  enum CaptureProbe {
    /// The promise that does not hold, in a sentence; `nil` when all hold.
    ///
    /// Tried once for the process.
    static let refusal = Task.detached { await run() }

    static func makeWorld(_ time: SimulationTime, _ seed: UInt64) -> any Surroundings {
      Answers.install()
      return ClientWorld(time, seed: seed)
    }

    private static func run() async -> String? {
      guard ThreadSanitizer.current == nil else {
        return refusal(because: "the thread sanitizer is in it, whose own calls would be answered, too")
      }
      guard QueueShape.found != nil else { return refusal(because: "this libdispatch keeps its queues in another way") }
      // Through the same capture, but without the probe, which would ask for itself.
      let capture = ClientCapture(refusal: { nil }, makeSurroundings: { makeWorld($0, $1) })
      do {
        let run = try await Simulation(
          .unlimited, capturing: capture, options: NetworkOptions(patience: .seconds(30))
        ) { network in try await waits(on: network.clock) }
        let wrong = run.value.filter { $0.took != .seconds(1) }
        if wrong.isEmpty { return nil }
        return refusal(because: wrong.map { "\($0.way) of a second took \($0.took)" }.joined(separator: ", "))
      } catch {
        return refusal(because: "\(error)")
      }
    }

    private static func waits(on clock: SimulatedClock) async throws -> [(way: String, took: Duration)] {
      var results: [(way: String, took: Duration)] = []
      func measure(_ way: String, _ body: () async throws -> Void) async rethrows {
        let start = clock.now
        try await body()
        results.append((way, start.duration(to: clock.now)))
      }
      try await measure("Task.sleep") { try await Task.sleep(for: .seconds(1)) }
      try await measure("a task's sleep") { try await Task { try await Task.sleep(for: .seconds(1)) }.value }
      await measure("Thread.sleep") { sleepOnThread() }
      await measure("a semaphore's wait") {
        await withCheckedContinuation { done in
          DispatchQueue.global().async {
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
            done.resume()
          }
        }
      }
      await measure("asyncAfter") {
        await withCheckedContinuation { done in
          DispatchQueue.main.asyncAfter(deadline: .now() + 1) { done.resume() }
        }
      }
      await measure("a condition's wait") {
        let condition = NSCondition()
        condition.withLock { _ = condition.wait(until: Date(timeIntervalSinceNow: 1)) }
      }
      // The address sanitizer answers the program's own calls itself, before they come to a slot.
      let (date, time) = (Date(), ownTime())
      try await Task.sleep(nanoseconds: 1_000_000_000)
      results.append(("Date()", .seconds(Date().timeIntervalSince(date))))
      results.append(("clock_gettime", .nanoseconds(ownTime() - time)))
      return results
    }

    /// The time by the program's own call.
    private static func ownTime() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return ClientTime.nanoseconds(time)
    }

    private static func sleepOnThread() { Thread.sleep(forTimeInterval: 1) }

    private static func refusal(because reason: String) -> String {
      """
      Clients cannot be captured in this process (\(reason)). \
      Let the client take the network's clock, and leave out "capturing: .everything".
      """
    }
  }
#else
  /// Clients cannot be captured here.
  enum CaptureProbe {
    static let refusal = Task<String?, Never> {
      """
      Clients are captured beneath the libraries of Linux, on x86-64 and arm64, which this is not. \
      Let the client take the network's clock, and leave out "capturing: .everything".
      """
    }

    static func makeWorld(_ time: SimulationTime, _ seed: UInt64) -> any Surroundings {
      preconditionFailure("a capture that was refused is not used")
    }
  }
#endif
