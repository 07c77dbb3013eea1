#if os(Linux)
  import Internals

  /// What the client does when nothing can happen any more.
  extension ClientScheduler {
    package var blocked: [String] {
      guard let leader, ClientThread.owner === leader else { return [] }
      // A few are enough to find the mistake; looking up thousands would take long.
      return leader.atWork { _ in
        turns.waits.prefix(8).compactMap { wait in
          wait.thread.place(askedBy: leader)?.text.map { "\(wait.call), at \($0)" }
        }
      }
    }

    package var placeOfNext: ClientPlace? {
      for queue in turns.busy {
        // The Swift runtime enqueues tasks as a function with the task as its context.
        if case .function(_, let task?) = queue.next()?.first?.work { return ClientPlace(ofTask: task) }
      }
      return nil
    }

    package func note(_ job: UnownedJob) {
      if let task = job.task { tasks.insert(task) }
    }

    package var suspended: [String] {
      tasks.compactMap { task in
        ClientPlace(ofWaitingTask: task)?.text.map { "a continuation, at \($0)" }
      }.sorted()
    }
  }
#endif
