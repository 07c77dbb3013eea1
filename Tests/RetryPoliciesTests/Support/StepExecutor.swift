import Internals

/// Runs tasks one after another on the calling thread, so a test knows when all tasks wait.
final class StepExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
  }
  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  /// Runs all ready jobs, until every task waits.
  func drain() {
    while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// Runs an operation in virtual time: when all tasks wait, the clock jumps to the next sleeper.
///
/// Nothing depends on the speed of the machine. The operation must not leave the executor it starts on.
func inTestTime<Value: Sendable>(
  _ clock: TestClock, _ operation: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let executor = StepExecutor()
  let result = Mutex<Result<Value, any Error>?>(nil)
  Task(executorPreference: executor) {
    do {
      let value = try await operation()
      result.withLock { $0 = .success(value) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
  }
  executor.drain()
  while result.withLock({ $0 == nil }) {
    guard clock.advance() else { throw StuckError() }
    executor.drain()
  }
  // A test ends with nothing pending.
  guard clock.sleeperCount == 0 else { throw StuckError() }
  return try result.withLock { $0! }.get()
}

/// A deadlock: all tasks wait for something other than the clock; or a task still sleeps at the end.
struct StuckError: Error {}
