#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalScheduling) import _Concurrency
  import NetworkConditions

  /// Stands for the main actor's executor on the threads of simulations: its jobs run there, in their turn.
  ///
  /// One for all simulations: which one is meant is known by the thread that asks.
  final class CapturingMainExecutor: SerialExecutor, SchedulingExecutor {
    static let shared = CapturingMainExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      guard let time = SimulationTime.current else { return globalConcurrentExecutor.enqueue(job) }
      time.submit { self.run(job, in: time) }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      schedule(UnownedJob(job), after: delay as? Duration ?? .zero)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      let left = clock.now.duration(to: instant) as? Duration ?? .zero
      schedule(UnownedJob(job), after: SleepDuration.restored(from: left))
    }

    func checkIsolated() {
      precondition(SimulationTime.current != nil, "Not on the main actor of a simulation.")
    }

    private func schedule(_ job: UnownedJob, after delay: Duration) {
      guard let time = SimulationTime.current else { return globalConcurrentExecutor.enqueue(job) }
      time.submit(after: delay) { self.run(job, in: time) }
    }

    private func run(_ job: UnownedJob, in time: SimulationTime) {
      job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: time.executor.asUnownedTaskExecutor())
    }
  }
#endif
