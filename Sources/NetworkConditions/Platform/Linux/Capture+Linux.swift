#if os(Linux)
  import ClientCapture
  import Internals
  import URLLoading

  extension ClientScheduler: ClientThreads {
    func keep(_ session: URLSession?, _ atEnd: @escaping @Sendable () -> Void) -> Bool {
      guard let session else { return atItsEnd(atEnd) }
      guard let queue = FoundationInternals.workQueue(of: session) else { return false }
      if session === URLSession.shared { RealTime.run { session.delegateQueue.waitUntilAllOperationsAreFinished() } }
      return reserve(queue, atEnd)
    }

    func threadWatch() -> (@Sendable () -> ThreadLook)? {
      let watch = Mutex(LoopWatch(self))
      return { watch.withLock { $0.look() } }
    }
  }

  extension CaptureMode {
    static var systemObstacle: String? { Capture.obstacle }
  }

  extension SimulationDriver {
    /// The threads of a captured client, with tasks of foreign sessions run over its network.
    func capturedThreads() -> any ClientThreads {
      ForeignTask.adopt
      return ClientScheduler(self)
    }

    static var isCapturedThread: Bool { ClientScheduler.isClientThread }

    /// The driver of the captured client that is calling.
    static var ofThisThread: SimulationDriver? { ClientScheduler.hostOfThread as? SimulationDriver }
  }
#endif
