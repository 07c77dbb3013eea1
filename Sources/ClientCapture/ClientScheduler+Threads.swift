#if os(Linux)
  import Foundation
  import Interposition
  import Internals
  import struct Synchronization.Atomic

  extension ClientScheduler {
    /// Starts a thread that advances virtual time while it is the leader, and waits otherwise.
    func startWorker() -> ClientThread {
      begin(newThread()) { [unowned self] thread in
        RealTime.run {
          while !isReleased {
            var isOver = false
            if leader === thread, let drive { ClientThread.forClient { isOver = leads(drive) } }
            if isOver || isReleased { break }
            idle.append(thread)
            pass()
            thread.awaitBaton()
          }
        }
      }
    }

    /// Starts a system thread, which runs `body` when it gets the baton.
    @discardableResult
    private func begin(_ thread: ClientThread, _ body: @escaping (ClientThread) -> Void) -> ClientThread {
      // The thread retains the scheduler, since it may outlive the simulation.
      ClientThread.start { [self] in
        thread.awaitBaton()
        thread.run { body(thread) }
        withExtendedLifetime(self) {}
      }
      return thread
    }

    /// Creates a client thread; the list keeps it alive, since its system thread refers to it by address.
    func newThread(isMain: Bool = false) -> ClientThread {
      let thread = ClientThread(self, isMain: isMain)
      threads.append(thread)
      return thread
    }

    func thread(of handle: pthread_t) -> ClientThread? { threads.last { $0.handle == handle } }

    /// Ends a client's thread, and passes the baton on.
    func end(_ thread: ClientThread) {
      thread.hasEnded = true
      if !isReleased { pass() }
    }

    /// Whether the kernel thread with this ID is one of the client's.
    func hasThread(_ number: Int32) -> Bool { number != 0 && threads.contains { $0.number == number } }

    // MARK: The main thread

    func startMain() {
      let thread = newThread(isMain: true)
      main.thread = thread
      turns.add(Wait(thread, "the main thread") { [unowned self] in hasMainWork || main.isLoopWanted })
      begin(thread) { [unowned self] thread in
        main.loop = RunLoop.current
        RealTime.run {
          while !isReleased {
            main.isLoopWanted = false
            runMainQueue()
            runMainLoop()
            if isReleased { break }
            _ = wait("the main thread") { [unowned self] in hasMainWork || main.isLoopWanted }
          }
        }
      }
    }

    var hasMainWork: Bool { nextOnMain != nil }

    private var nextOnMain: ClientQueue? { queues[QueueShape.main]?.next() }

    /// Runs the work of the main queue and of those that target it; call it only on the main thread.
    func runMainQueue() {
      while !isReleased, let queue = nextOnMain {
        run(queue)
        if hasMainWork { giveWay() }
      }
    }

    /// Runs the main thread's run loop; its timers are on the main queue, as in a process.
    private func runMainLoop() {
      queue(QueueShape.main).within(isBarrier: false) { MainLoop.run() }
    }

    /// Returns the main thread's run loop; unless `isPolled`, also makes it run, because the caller may add to it.
    func findMainLoop(isPolled: Bool) -> RunLoop? {
      if main.thread == nil { startMain() }
      if main.loop == nil {
        main.isLoopWanted = true
        if wait("RunLoop.main", { [self] in main.loop != nil }) == .released { return nil }
      }
      if !isPolled { main.isLoopWanted = true }
      return main.loop
    }
  }
#endif
