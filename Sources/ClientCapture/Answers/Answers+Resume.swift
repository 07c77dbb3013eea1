#if os(Linux)
  import Internals
  import Dispatch
  import Interposition

  extension ClientScheduler {
    /// Holds a function in a struct: each read of a bare function from a generic lock would add a wrapper to it.
    private struct Rule: Sendable {
      var problem: @Sendable (UnsafeMutableRawPointer, any CaptureHost) -> (call: String, remedy: String)? = { _, _ in
        nil
      }
    }
    private static let rule = Mutex(Rule())

    /// Checks each URL session task that a client resumes; if `problem` returns one, the run is refused.
    package static func refuseTasks(
      where problem: @escaping @Sendable (UnsafeMutableRawPointer, any CaptureHost) -> (call: String, remedy: String)?
    ) {
      rule.withLock { $0.problem = problem }
      interposition_answer_resume { task in
        guard let thread = ClientThread.current, let task else { return 0 }
        thread.scheduler.noteTask()
        guard let host = thread.scheduler.host,
          let problem = ClientScheduler.rule.withLock({ $0 }).problem(task, host)
        else { return 0 }
        thread.atWork { $0.refuse(problem.call, remedy: problem.remedy) }
        return 1
      }
    }
  }
#endif
