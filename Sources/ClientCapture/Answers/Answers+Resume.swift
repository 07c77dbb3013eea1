#if os(Linux)
  import Internals
  package import Dispatch
  import Interposition

  extension ClientScheduler {
    /// Not a bare function: each read of one from a generic lock wraps it once more, and keeps the wrapping.
    private struct Rule: Sendable {
      var problem: @Sendable (UnsafeMutableRawPointer) -> (call: String, remedy: String)? = { _ in nil }
    }
    private static let rule = Mutex(Rule())

    /// Has each simulation take turns with all others in this queue, as the queue itself has them do.
    ///
    /// - Parameter queue: one whose work never waits for anything else.
    package static func shareQueue(_ queue: DispatchQueue) {
      let label = queue.label
      ClientQueue.labelOfProcess.withLock { $0 = label }
    }

    /// Looks at each task of the URL loading system that a client's thread resumes.
    ///
    /// - Parameter problem: why the task cannot be run; then it is not resumed, and the run is refused.
    package static func refuseTasks(
      where problem: @escaping @Sendable (UnsafeMutableRawPointer) -> (call: String, remedy: String)?
    ) {
      rule.withLock { $0.problem = problem }
      interposition_answer_resume { task in
        guard let thread = ClientThread.current, let task else { return 0 }
        thread.scheduler.noteTask()
        guard let problem = ClientScheduler.rule.withLock({ $0 }).problem(task) else { return 0 }
        thread.atWork { $0.refuse(problem.call, remedy: problem.remedy) }
        return 1
      }
    }
  }
#endif
