#if os(Linux)
  import ClientCapture
  import Internals
  import URLLoading

  extension ClientScheduler: ClientThreads {
    func keepSharedSession(_ atEnd: @escaping @Sendable () -> Void) -> Bool {
      let session = URLSession.shared
      guard let queue = FoundationInternals.workQueue(of: session) else { return false }
      reserved.reserve(queue, after: session.delegateQueue, atEnd)
      return true
    }

    func loopFinder() -> (@Sendable () -> ClientPlace?)? {
      let watch = Mutex(LoopWatch(self))
      return { watch.withLock { $0.look() } }
    }
  }

  extension CaptureMode {
    /// Why clients cannot be captured in this process.
    static var systemObstacle: String? { Capture.obstacle }
  }

  extension SimulationDriver {
    /// The threads of a captured client.
    func capturedThreads() -> any ClientThreads {
      ForeignTask.refuse
      return ClientScheduler(self)
    }

    /// Whether the calling thread is one of some captured client's.
    static var isCapturedThread: Bool { ClientScheduler.isClientThread }
  }
#endif
