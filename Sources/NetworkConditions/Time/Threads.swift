import ClientCapture
import Dispatch
import Foundation
import Synchronization

/// Threads for drivers: each runs one simulation at a time, and waits a while for the next; Dispatch's would not do: a
/// driver waits for queues that need those.
enum DriverThreads {
  private struct Pool {
    var work: [@Sendable () -> Void] = []
    var idle = 0
  }
  private static let pool = ConditionLock(Pool())
  /// How long a thread waits for its next simulation before it ends, in seconds.
  private static let patience = 2.0

  static func run(_ work: @escaping @Sendable () -> Void) {
    let mustCreate = pool.withLock(signalling: true) { pool in
      pool.work.append(work)
      return pool.work.count > pool.idle
    }
    guard mustCreate else { return }
    let thread = Thread { serve() }
    thread.name = "network-conditions.simulation"
    // A client's synchronous code runs here, which may be deep: as much as a main thread has.
    thread.stackSize = 8 << 20
    // In real time also when a captured client asks.
    RealTime.run { thread.start() }
  }

  private static func serve() {
    while true {
      if let work = pool.withLock({ $0.work.popLast() }) {
        work()
        continue
      }
      pool.withLock { $0.idle += 1 }
      pool.wait(for: patience) { !$0.work.isEmpty }
      let mustEnd = pool.withLock { pool in
        pool.idle -= 1
        return pool.work.isEmpty
      }
      if mustEnd { return }
    }
  }
}

/// Runs code that may block, such as a user's, so that neither time nor anything else has to wait for it.
enum BlockingWork {
  /// Dispatch has 255 threads for all of a process: so many of them are used, and further work gets new threads.
  private static let limit = 64
  private static let running = Atomic<Int>(0)

  static func run(_ work: @escaping @Sendable () -> Void) {
    let isLent = running.wrappingAdd(1, ordering: .relaxed).oldValue < limit
    let counted: @Sendable () -> Void = {
      work()
      running.wrappingSubtract(1, ordering: .relaxed)
    }
    if isLent {
      // A serial queue of its own has a thread at once; a concurrent one waits for those that block.
      DispatchQueue(label: "network-conditions.blocking", qos: .userInitiated).async(execute: counted)
    } else {
      Thread.detachNewThread(counted)
    }
  }
}
