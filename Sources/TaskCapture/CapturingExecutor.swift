#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalScheduling) import _Concurrency
  import NetworkConditions

  /// Hands all jobs of a simulation's tasks to its driver, those that sleep included.
  ///
  /// `Task.sleep` asks the executor that runs it to wake it: that is what this one is for.
  final class CapturingExecutor: TaskExecutor, SchedulingExecutor {
    private let time: SimulationTime

    init(time: SimulationTime) {
      self.time = time
    }

    func enqueue(_ job: consuming ExecutorJob) {
      time.enqueue(UnownedJob(job))
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      time.enqueue(UnownedJob(job), after: delay as? Duration ?? .zero)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      let left = clock.now.duration(to: instant) as? Duration ?? .zero
      time.enqueue(UnownedJob(job), after: SleepDuration.restored(from: left))
    }
  }
#endif
