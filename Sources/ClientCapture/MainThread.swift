#if os(Linux)
  import Foundation
  import Interposition

  /// The stand-in for the process's main thread, its run loop and its operation queue in one simulation.
  // A class, because the operation queue that it makes may call back into it.
  final class MainStandIn {
    /// `nil` until the client needs it.
    var thread: ClientThread?
    var loop: RunLoop?
    /// Whether the client may have added to the run loop, which otherwise does not run.
    var isLoopWanted = false
    private var made: OperationQueue?

    /// The simulation's own main operation queue; work in the process's main queue could run in another simulation.
    var operations: OperationQueue {
      if let made { return made }
      let queue = OperationQueue()
      queue.name = "NSOperationQueue Main Queue"
      queue.maxConcurrentOperationCount = 1
      queue.underlyingQueue = .main
      made = queue
      return queue
    }

    /// Leaks the run loop and the operation queue, so that they are never released.
    func hold() {
      for object in [made, loop] as [NSObject?] { _ = object.map { Unmanaged.passRetained($0) } }
    }
  }

  /// The run loop of the thread that stands in for the main thread.
  enum MainLoop {
    /// Runs the calling thread's run loop as long as it has sources or timers.
    static func run() {
      while ClientThread.current != nil, RunLoop.current.run(mode: .default, before: .distantFuture) {}
    }

    // CoreFoundation is not imported: otherwise the C library's types would belong to that module.
    private typealias GetCurrent = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias Stop = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private static let current = dlsym(nil, "CFRunLoopGetCurrent").map { unsafeBitCast($0, to: GetCurrent.self) }
    private static let stopping = dlsym(nil, "CFRunLoopStop").map { unsafeBitCast($0, to: Stop.self) }

    static func stop() {
      if let loop = current?() { stopping?(loop) }
    }
  }

  extension Answers {
    static func addMainThread(to answers: inout interposition_functions) {
      // Foundation keeps the first value for ever, so it is created outside of simulations. The same holds for the
      // thread that watches child processes: a process without a program starts it and then fails.
      _ = (RunLoop.main, OperationQueue.main, try? Process().run())
      answers._CFIsMainThread = {
        guard let thread = ClientThread.owner else { return interposition_real._CFIsMainThread() }
        return thread.isMain ? 1 : 0
      }
      answers.foundation_main_run_loop = {
        guard let thread = ClientThread.current,
          let loop = thread.atWork({ $0.findMainLoop(isPolled: thread.pollsLoop) })
        else { return interposition_real.foundation_main_run_loop() }
        if !thread.isMain { thread.poll() }
        return Unmanaged.passRetained(loop).toOpaque()
      }
      answers.foundation_current_run_loop = {
        ClientThread.current?.poll()
        return interposition_real.foundation_current_run_loop()
      }
      answers.foundation_main_operation_queue = {
        guard let thread = ClientThread.current else { return interposition_real.foundation_main_operation_queue() }
        return Unmanaged.passRetained(thread.scheduler.main.operations).toOpaque()
      }
      // Other runs' clients would get this one's notifications.
      answers.foundation_default_notification_center = {
        ClientThread.current?.scheduler.takeSharedObject()
        return interposition_real.foundation_default_notification_center()
      }
    }
  }
#endif
