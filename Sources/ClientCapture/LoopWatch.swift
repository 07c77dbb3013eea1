#if os(Linux)
  import Glibc
  import Interposition

  /// Finds the activity and the place of a client's thread that runs for a long time.
  package struct LoopWatch {
    /// The number of samples per look, and the thread's processor time between samples in nanoseconds.
    private static let (samples, pause): (Int, Int64) = (400, 50_000)

    private let scheduler: ClientScheduler
    private var thread: Int32 = 0
    private var detector = LoopDetector()
    private var time: Int64 = 0
    /// The thread's processor time at the first look.
    private var start: Int64 = 0
    private var shallowest = interposition_sighting()

    package init(_ scheduler: ClientScheduler) { self.scheduler = scheduler }

    /// Samples the running thread.
    package mutating func look() -> ThreadLook {
      let thread = scheduler.runningThread
      if thread != self.thread {
        (self.thread, detector, time, shallowest) = (thread, LoopDetector(), 0, interposition_sighting())
        start = Self.workTime(of: thread)
      }
      let busy = activity(of: thread)
      return (busy, .nanoseconds(max(0, Self.workTime(of: thread) - start)))
    }

    private mutating func activity(of thread: Int32) -> BusyThread? {
      // The sampling signal may interrupt a blocking call, so only running threads are sampled. A thread that gets
      // little of a busy processor is sampled when it has run for long enough since the last samples.
      let first = Self.workTime(of: thread)
      if time == 0 { time = first }
      guard first - time > Self.pause * 100 else { return nil }
      time = first
      for _ in 0..<Self.samples where !detector.isLoop {
        _ = interposition_real.usleep(UInt32(Self.pause / 1000))
        let now = Self.workTime(of: thread)
        guard now - time >= Self.pause else { continue }
        time = now
        var sighting = interposition_sighting()
        guard interposition_sight(thread, detector.base, &sighting) != 0 else { return nil }
        detector.add(sighting.state, stack: sighting.stack)
        if detector.isShallowest { shallowest = sighting }
      }
      guard shallowest.count > 0 else { return nil }
      return detector.isLoop ? .loops(ClientPlace(shallowest)) : .runs(ClientPlace(shallowest))
    }

    /// A thread's processor time in nanoseconds.
    private static func workTime(of thread: Int32) -> Int64 {
      var time = timespec()
      // The clock of a single thread's processor time, encoded as by `pthread_getcpuclockid`.
      // Number 0, for no thread, would be the calling one.
      guard thread != 0, interposition_real.clock_gettime(~thread << 3 | 6, &time) == 0 else { return 0 }
      return ClientTime.nanoseconds(time)
    }
  }
#endif
