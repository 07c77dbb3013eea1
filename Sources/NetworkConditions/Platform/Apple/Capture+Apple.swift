#if !os(Linux)
  import URLLoading

  extension CaptureMode {
    static var systemObstacle: String? { "Clients can be captured only on Linux." }
  }

  extension SimulationDriver {
    /// The threads of the client's sessions, because this system captures no others.
    func capturedThreads() -> any ClientThreads { clientThreads }

    static var isCapturedThread: Bool { false }
    static var ofThisThread: SimulationDriver? { nil }
  }

  extension SimulatedNetwork {
    /// Returns `false`: a session's configuration cannot be changed here, and no client is captured.
    func adopt(_ session: URLSession) -> Bool { false }
  }
#endif
