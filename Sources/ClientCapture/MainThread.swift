#if os(Linux)
  import Foundation
  import Interposition

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
        return Unmanaged.passRetained(thread.scheduler.mainOperations).toOpaque()
      }
    }
  }
#endif
