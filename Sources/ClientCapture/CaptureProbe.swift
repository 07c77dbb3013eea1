#if os(Linux)
  import Foundation
  import Internals
  import Interposition

  /// Tests whether this process's calls can be captured.
  package enum Capture {
    /// Why this process cannot be captured, as a sentence; `nil` if it can; tested once per process.
    package static let obstacle: String? = RealTime.run { findObstacle() }.map { reason in
      "Clients cannot be captured in this process (\(reason))."
    }

    private static func findObstacle() -> String? {
      #if arch(x86_64) || arch(arm64)
        guard ThreadSanitizer.current == nil else {
          return "it contains the thread sanitizer, whose own calls would be answered too"
        }
        guard dlsym(nil, "__asan_init") == nil else {
          return "it contains the address sanitizer, which answers the program's calls itself"
        }
        guard QueueShape.found != nil else { return "this libdispatch stores its queues differently" }
        return CaptureProbe().problem()
      #else
        return "its processor is neither x86-64 nor arm64"
      #endif
    }
  }

  /// Tests each kind of wait: a virtual second must take no real time.
  // Unchecked: only the scheduler's threads use it, one at a time, and the thread that waits for their end.
  private final class CaptureProbe: CaptureHost, @unchecked Sendable {
    private(set) var instant: Int64 = 0
    private var calls: [(ticket: TimerTicket, instant: Int64, work: @Sendable () -> Void)] = []
    private var lastNumber = 0
    private var results: [(way: String, took: Duration)]?
    private lazy var scheduler = ClientScheduler(self)
    private let isDone = DispatchSemaphore(value: 0)

    /// The real-time limit of the test in seconds: an idle machine needs a millisecond, a crowded one has needed over 30 s.
    private static let patience = 120

    func problem() -> String? {
      _ = scheduler
      guard Answers.WorkItemShape.isKnown else { return "this libdispatch stores its work items differently" }
      ClientThread.start { [self] in
        scheduler.runAsClient {
          Task { [self] in results = try? await waits() }
          scheduler.lead { [self] in drive() }
        }
      }
      guard waitUntilDone() else {
        return "it did not become idle within \(Self.patience) seconds"
      }
      guard let results else { return "a task that slept for a second did not continue" }
      let wrong = results.filter { $0.took != .seconds(1) }
      return wrong.isEmpty ? nil : wrong.map { "\($0.way) of a second took \($0.took)" }.joined(separator: ", ")
    }

    /// Waits with a limit on the monotonic clock, since a semaphore's own time limit follows the adjustable calendar
    /// clock.
    private func waitUntilDone() -> Bool {
      let end = ContinuousClock.now + .seconds(Self.patience)
      while isDone.wait(timeout: .now() + 0.1) == .timedOut { if ContinuousClock.now > end { return false } }
      return true
    }

    private func drive() -> Bool {
      while scheduler.isLeading {
        if scheduler.settle() > 0 { continue }
        guard scheduler.isLeading else { break }
        let first = calls.indices.min {
          (calls[$0].instant, calls[$0].ticket.number) < (calls[$1].instant, calls[$1].ticket.number)
        }
        guard results == nil, let first else {
          scheduler.release()
          isDone.signal()
          return true
        }
        let call = calls.remove(at: first)
        instant = max(instant, call.instant)
        call.work()
      }
      return false
    }

    private func waits() async throws -> [(way: String, took: Duration)] {
      var results: [(way: String, took: Duration)] = []
      func measure(_ way: String, _ body: () async throws -> Void) async rethrows {
        let start = instant
        try await body()
        results.append((way, .nanoseconds(instant - start)))
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
      let (date, time) = (Date(), ownTime())
      try await Task.sleep(nanoseconds: 1_000_000_000)
      results.append(("Date()", .seconds(Date().timeIntervalSince(date))))
      results.append(("clock_gettime", .nanoseconds(ownTime() - time)))
      return results
    }

    /// The time from a direct `clock_gettime` call of this program.
    private func ownTime() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return ClientTime.nanoseconds(time)
    }

    private func sleepOnThread() { Thread.sleep(forTimeInterval: 1) }

    // MARK: CaptureHost

    func call(atInstant instant: Int64, _ work: @escaping @Sendable () -> Void) -> TimerTicket? {
      lastNumber += 1
      let ticket = TimerTicket(number: lastNumber)
      calls.append((ticket, instant, work))
      return ticket
    }

    func cancel(_ call: TimerTicket) { calls.removeAll { $0.ticket == call } }
    func drawn(_ number: UInt64) -> UInt64 { number }
    func choice(at instant: Int64, _ number: UInt64, below count: Int) -> Int { 0 }
    func onClientThread<Result>(_ body: () -> Result) -> Result { body() }
    var isRefused: Bool { false }
    func refuse(_ call: String, remedy: String) -> Bool { false }
    func takeSharedObject() {}
    func note(_ access: FileAccess) -> Bool { false }
    func noteProgress() {}
    var movements: UInt64 { 0 }
  }
#endif
