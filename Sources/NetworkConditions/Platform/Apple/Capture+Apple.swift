#if !os(Linux)
  extension CaptureMode {
    /// The reason why this system cannot capture clients.
    static var systemObstacle: String? { "Clients are captured beneath the libraries of Linux, which this is not." }
  }

  extension SimulationDriver {
    /// A client's threads; without capture, those of its sessions.
    func capturedThreads() -> any ClientThreads { clientThreads }

    /// Whether the calling thread belongs to a captured client.
    static var isCapturedThread: Bool { false }
  }
#endif
