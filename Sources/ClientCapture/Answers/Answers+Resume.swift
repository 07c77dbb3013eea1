#if os(Linux)
  import Internals
  import Dispatch
  import Interposition

  extension ClientScheduler {
    package typealias TaskRule =
      @Sendable (UnsafeMutableRawPointer, any CaptureHost) -> (call: String, remedy: String)?
    private static let rule = Hook<TaskRule>()

    /// Checks each URL session task that a client resumes; if `problem` returns one, the run is refused.
    package static func refuseTasks(where problem: @escaping TaskRule) {
      rule.set(problem)
      interposition_answer_resume { task in
        guard let thread = ClientThread.current, let task else { return 0 }
        thread.scheduler.noteTask()
        guard let host = thread.scheduler.host, let problem = ClientScheduler.rule.value?(task, host) else { return 0 }
        thread.atWork { $0.refuse(problem.call, remedy: problem.remedy) }
        return 1
      }
    }
  }
#endif
