#if os(Linux)
  import Foundation
  import Interposition

  /// What stands for the process's main thread, its run loop and its operation queue in one simulation.
  // A class: the operation queue that it makes may come back to it.
  final class MainStandIn {
    /// `nil` until the client needs it.
    var thread: ClientThread?
    var loop: RunLoop?
    /// Whether something was added to the run loop, which does not run while it has nothing.
    var isLoopWanted = false
    private var made: OperationQueue?

    /// The main operation queue is the process's: what one simulation adds to it another would run.
    var operations: OperationQueue {
      if let made { return made }
      let queue = OperationQueue()
      queue.name = "NSOperationQueue Main Queue"
      queue.maxConcurrentOperationCount = 1
      queue.underlyingQueue = .main
      made = queue
      return queue
    }

    /// Never lets the run loop and the operations go.
    func hold() {
      for object in [made, loop] as [NSObject?] { _ = object.map { Unmanaged.passRetained($0) } }
    }
  }

  /// The run loop of the thread that stands for the main thread.
  enum MainLoop {
    /// Runs the calling thread's run loop for as long as it has something to wait for.
    static func run() {
      while ClientThread.current != nil, RunLoop.current.run(mode: .default, before: .distantFuture) {}
    }

    // Not by the module CoreFoundation: where that is imported, the C library's types count as its own.
    private typealias GetCurrent = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias Stop = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private static let current = dlsym(nil, "CFRunLoopGetCurrent").map { unsafeBitCast($0, to: GetCurrent.self) }
    private static let stopping = dlsym(nil, "CFRunLoopStop").map { unsafeBitCast($0, to: Stop.self) }

    /// Ends the run loop of the calling thread.
    static func stop() {
      if let loop = current?() { stopping?(loop) }
    }
  }

  extension Answers {
    static func addMainThread(to answers: inout interposition_functions) {
      // Foundation keeps the first answer for good: so it must come from outside of simulations. So must the thread that looks
      // after all other processes; a process without a program begins it, and fails.
      _ = (RunLoop.main, OperationQueue.main, try? Process().run())
      answers._CFIsMainThread = {
        guard let thread = ClientThread.owner else { return interposition_real._CFIsMainThread() }
        return thread.isMain ? 1 : 0
      }
      answers.foundation_main_run_loop = {
        guard let thread = ClientThread.current, let loop = thread.atWork({ $0.findMainLoop() }) else {
          return interposition_real.foundation_main_run_loop()
        }
        return Unmanaged.passRetained(loop).toOpaque()
      }
      answers.foundation_main_operation_queue = {
        guard let thread = ClientThread.current else { return interposition_real.foundation_main_operation_queue() }
        return Unmanaged.passRetained(thread.scheduler.main.operations).toOpaque()
      }
    }
  }
#endif
