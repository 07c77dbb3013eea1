#if os(Linux)
  import Interposition
  import NetworkConditions

  extension Answers {
    /// Refuses the tasks of other sessions than the network's when they are resumed: libcurl, which would run them, waits for
    /// what a simulation cannot give it, and its handles end the process.
    static func answerResume() {
      interposition_answer_resume { task in
        guard let thread = ClientThread.current, let task, let foreign = ForeignTask(task) else { return 0 }
        thread.atWork { $0.refuse(foreign.call, remedy: ForeignTask.remedy) }
        return 1
      }
    }
  }
#endif
