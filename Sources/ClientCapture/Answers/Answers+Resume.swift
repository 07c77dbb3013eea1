#if os(Linux)
  import Internals
  import Interposition

  extension ClientScheduler {
    private static let problem = Mutex<(@Sendable (UnsafeMutableRawPointer) -> (call: String, remedy: String)?)?>(nil)

    /// Looks at each task of the URL loading system that a client's thread resumes.
    ///
    /// - Parameter problem: why the task cannot be run; then it is not resumed, and the run is refused.
    package static func refuseTasks(
      where problem: @escaping @Sendable (UnsafeMutableRawPointer) -> (call: String, remedy: String)?
    ) {
      Self.problem.withLock { $0 = problem }
      interposition_answer_resume { task in
        guard let thread = ClientThread.current, let task,
          let problem = ClientScheduler.problem.withLock({ $0 })?(task)
        else { return 0 }
        thread.atWork { $0.refuse(problem.call, remedy: problem.remedy) }
        return 1
      }
    }
  }
#endif
