import NetworkConditions

#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  /// Whether tasks can be captured here, and how.
  enum TaskCapture {
    /// Why tasks cannot be captured, or `nil` when all is as known.
    ///
    /// Tried once for the process.
    static let refusal = Task.detached {
      if let problem = ConcurrencyHooks.install() { return Optional(problem) }
      return await CaptureProbe.run()
    }

    static func makeExecutor(for time: SimulationTime) -> any TaskExecutor {
      CapturingExecutor(time: time)
    }
  }
#else
  /// Tasks cannot be captured here.
  enum TaskCapture {
    static let refusal = Task<String?, Never> {
      """
      Tasks are captured through private interfaces of Swift 6.3 on Linux, which this is not. \
      Let the client take the network's clock, and leave out "capturing: .tasks".
      """
    }

    static func makeExecutor(for time: SimulationTime) -> any TaskExecutor {
      globalConcurrentExecutor
    }
  }
#endif
