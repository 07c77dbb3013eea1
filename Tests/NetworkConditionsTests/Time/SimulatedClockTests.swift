import Internals
import Testing
import URLLoading

@testable import NetworkConditions

struct SimulatedClockTests {
  @Test func `inside a simulation a session that another network intercepts has the simulation's time`() async throws {
    let elapsed = try await SimulatedNetwork.immediate().interceptingSharedSession {
      try await Simulation("3G", seed: 2) { network in
        try await network.clock.sleep(for: .seconds(5))
        return LoaderTime.of(URLSession.shared)?.elapsed()
      }.value
    }
    #expect(elapsed == .seconds(5))
  }

  @Test func `a network has its own time within another network's simulation, too`() async throws {
    let other = SimulatedNetwork.immediate()
    let elapsed = try await Simulation("3G", seed: 2) { network in
      try await network.clock.sleep(for: .seconds(5))
      return LoaderTime.of(other)?.elapsed()
    }.value
    #expect(elapsed == .zero)
  }

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

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a sleep until the end of simulated time without other work is a deadlock`()
    async throws
  {
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation(.unlimited) { try await $0.clock.sleep(toHorizon: .seconds(10)) }
    }
    guard case .deadlock(.zero, _, _) = error else {
      Issue.record("it threw \(String(describing: error))")
      return
    }
  }

  @Test func `a sleep until the end of simulated time ends when other work reaches that time`() async throws {
    let run = try await Simulation(.unlimited) { network in
      async let other: Void = network.clock.sleep(for: .seconds(20))
      try await network.clock.sleep(toHorizon: .seconds(10))
      let horizon = network.now
      try await other
      return horizon
    }
    #expect(run.value == .zero.advanced(by: .seconds(10)) && run.elapsed == .seconds(20))
  }

  @Test(arguments: [true, false])
  func `a cancelled task that loops for ever stops some time after its run's end`(sleeps: Bool) async throws {
    let network = try await Simulation(.unlimited) { $0 }.value
    let line = JobLine()
    let count = Mutex(0)
    let task = Task(executorPreference: line) {
      while true {
        count.withLock { $0 += 1 }
        if sleeps {
          try? await network.clock.sleep(for: .seconds(1))
        } else {
          _ = try? await network.data(from: URL(string: "https://api.example.com/")!)
        }
      }
    }
    task.cancel()
    // The loop ends when no job is left.
    line.runAll()
    // Enough for the tasks that a client must end, and no more.
    #expect((500..<2_000).contains(count.withLock { $0 }), "\(count.withLock { $0 })")
  }
}

/// Runs the jobs of tasks on the thread that asks.
private final class JobLine: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
