#if os(Linux)
  import Glibc
  import Interposition

  /// Tells whether a client's thread that does not come back waits in a loop or computes.
  package struct LoopWatch {
    /// So many samples are taken at a time, each after this much of the thread's work, in nanoseconds.
    private static let (samples, pause): (Int, Int64) = (400, 50_000)

    private let scheduler: ClientScheduler
    private var thread: Int32 = 0
    private var detector = LoopDetector()
    private var time: Int64 = 0
    private var shallowest = interposition_sighting()

    package init(_ scheduler: ClientScheduler) { self.scheduler = scheduler }

    /// Where the thread loops; `nil` as long as that is not known.
    package mutating func look() -> ClientPlace? {
      let thread = scheduler.runningThread
      if thread != self.thread { (self.thread, detector, time) = (thread, LoopDetector(), 0) }
      // A signal may end a call in which a thread waits: only those that run are asked.
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

    /// For how long a thread of the process has run on a processor.
    private static func workTime(of thread: Int32) -> Int64 {
      var time = timespec()
      // The clock of one thread's work, as `pthread_getcpuclockid` makes it.
      return interposition_real.clock_gettime(~thread << 3 | 6, &time) == 0 ? ClientTime.nanoseconds(time) : 0
    }
  }
#endif
