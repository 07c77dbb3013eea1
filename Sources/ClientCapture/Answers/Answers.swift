#if os(Linux)
  import Interposition
  import Internals

  /// The answers to what clients' threads ask of libdispatch and of the C library.
  ///
  /// Each looks first whether a client's thread asks, and passes the call on where it does not.
  enum Answers {
    private static let installing = Mutex(())

    /// Has them given from here on, in all libraries that are loaded.
    static func install() {
      installing.withLock { _ in
        HashOrder.fix()
        withUnsafePointer(to: all) { interposition_install($0) }
      }
    }

    private static let all = {
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
      addChance(to: &answers)
      addMainThread(to: &answers)
      addFiles(to: &answers)
      return answers
    }()
  }
#endif
