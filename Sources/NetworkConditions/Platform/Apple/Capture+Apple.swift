#if !os(Linux)
  extension CaptureMode {
    /// Why clients cannot be captured in this process.
    static var systemObstacle: String? { "Clients are captured beneath the libraries of Linux, which this is not." }
  }

  extension SimulationDriver {
    /// The threads of a captured client: those of its sessions, where none is captured.
    func capturedThreads() -> any ClientThreads { clientThreads }

    /// Whether the calling thread is one of some captured client's.
    static var isCapturedThread: Bool { false }
  }
#endif
