#if os(Linux)
  import Foundation
  import Interposition
  import Internals
  import struct Synchronization.Atomic

  /// The threads of the client, the main one among them.
  extension ClientScheduler {
    /// A thread that leads when it is asked to, and then waits for the next time.
    func startWorker() -> ClientThread {
      begin(newThread()) { [unowned self] thread in
        interposition_enter()
        while !isReleased {
          if leader === thread, let drive { ClientThread.forClient { _ = drive() } }
          if isReleased { break }
          idle.append(thread)
          pass()
          thread.awaitBaton()
        }
        interposition_leave()
      }
    }

    /// Starts a system thread, which runs `body` when it is its turn.
    ///
    /// The thread with the baton is the only one of the client that runs.
    @discardableResult
    private func begin(_ thread: ClientThread, _ body: @escaping (ClientThread) -> Void) -> ClientThread {
      // The thread holds the scheduler, which may outlive the simulation.
      ClientThread.start { [self] in
        thread.awaitBaton()
        thread.run { body(thread) }
        withExtendedLifetime(self) {}
      }
      return thread
    }

    /// A thread of the client's; it outlives all use, for a thread of the system's knows it by its address.
    func newThread(isMain: Bool = false) -> ClientThread {
      let thread = ClientThread(self, isMain: isMain)
      threads.append(thread)
      return thread
    }

    /// The client's thread that has a name of the system's.
    func thread(of handle: pthread_t) -> ClientThread? { threads.last { $0.handle == handle } }

    /// A thread of the client's is over.
    func end(_ thread: ClientThread) {
      thread.hasEnded = true
      if !isReleased { pass() }
    }

    /// Whether the kernel's thread of this number is one of the client's.
    func hasThread(_ number: Int32) -> Bool { number != 0 && threads.contains { $0.number == number } }

    // MARK: The main thread

    /// The queue that stands for the main thread's.
    func startMain() {
      let thread = newThread(isMain: true)
      main.thread = thread
      turns.add(Wait(thread, "the main thread") { [unowned self] in hasMainWork || main.isLoopWanted })
      begin(thread) { [unowned self] thread in
        main.loop = RunLoop.current
        interposition_enter()
        while !isReleased {
          main.isLoopWanted = false
          runMainQueue()
          ClientThread.forClient { MainLoop.run() }
          if isReleased { break }
          _ = wait("the main thread") { [unowned self] in hasMainWork || main.isLoopWanted }
        }
        interposition_leave()
      }
    }

    var hasMainWork: Bool { nextOnMain != nil }

    private var nextOnMain: ClientQueue? { QueueShape.main.flatMap { queues[$0] }?.next() }

    /// Runs the work of the main queue and of those that target it; to be called on the main thread alone.
    func runMainQueue() {
      while !isReleased, let queue = nextOnMain {
        run(queue)
        if hasMainWork { giveWay() }
      }
    }

    /// The run loop of the thread that stands for the main thread; it runs from here on, for somebody adds to it.
    func findMainLoop() -> RunLoop? {
      if main.thread == nil { startMain() }
      if main.loop == nil {
        main.isLoopWanted = true
        if wait("RunLoop.main", { [self] in main.loop != nil }) == .released { return nil }
      }
      main.isLoopWanted = true
      return main.loop
    }
  }
#endif
