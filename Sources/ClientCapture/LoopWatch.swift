#if os(Linux)
  import Glibc
  import Interposition

  /// Finds out whether a client's thread that runs for long is waiting in a loop or computing.
  package struct LoopWatch {
    /// The number of samples per look, and the thread's processor time between them in nanoseconds.
    private static let (samples, pause): (Int, Int64) = (400, 50_000)

    private let scheduler: ClientScheduler
    private var thread: Int32 = 0
    private var detector = LoopDetector()
    private var time: Int64 = 0
    private var shallowest = interposition_sighting()

    package init(_ scheduler: ClientScheduler) { self.scheduler = scheduler }

    /// Samples the running thread; returns where it loops, `nil` while no loop is found.
    package mutating func look() -> ClientPlace? {
      let thread = scheduler.runningThread
      if thread != self.thread { (self.thread, detector, time) = (thread, LoopDetector(), 0) }
      // The sampling signal may interrupt a blocking call, so only running threads are sampled.
      let first = Self.workTime(of: thread)
      defer { time = max(time, first) }
      guard time > 0, first - time > Self.pause * 100 else { return nil }
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
      return detector.isLoop ? ClientPlace(shallowest) : nil
    }

    /// A thread's processor time in nanoseconds.
    private static func workTime(of thread: Int32) -> Int64 {
      var time = timespec()
      // The clock of a single thread's processor time, encoded as by `pthread_getcpuclockid`.
      return interposition_real.clock_gettime(~thread << 3 | 6, &time) == 0 ? ClientTime.nanoseconds(time) : 0
    }
  }
#endif
