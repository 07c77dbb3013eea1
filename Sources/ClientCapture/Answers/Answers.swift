#if os(Linux)
  import Interposition
  import Internals

  /// Interceptors of calls to libdispatch and the C library.
  ///
  /// Each checks whether a client's thread is calling, and passes other calls on.
  enum Answers {
    private static let installing = Mutex(())

    static func install() {
      installing.withLock { _ in
        HashOrder.fix()
        SimulatedThread.recognizes.set { interposition_owner() != nil }
        withUnsafePointer(to: all) { interposition_install($0) }
      }
    }

    private static let all = {
      interposition_learn_once()
      var answers = interposition_functions()
      addQueues(to: &answers)
      addSync(to: &answers)
      addQueuePlaces(to: &answers)
      addRefusedQueues(to: &answers)
      addGroups(to: &answers)
      addSources(to: &answers)
      addClocks(to: &answers)
      addThreads(to: &answers)
      addLocks(to: &answers)
      addConditions(to: &answers)
      addSystemCalls(to: &answers)
      addDescriptors(to: &answers)
      addReceiving(to: &answers)
      addChance(to: &answers)
      addMainThread(to: &answers)
      addFiles(to: &answers)
      return answers
    }()
  }
#endif
