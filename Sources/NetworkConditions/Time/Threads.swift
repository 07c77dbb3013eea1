import ClientCapture
import Dispatch
import Foundation
import Synchronization

/// The drivers' threads: each runs one simulation at a time, and waits a while for the next.
///
/// Dispatch's threads cannot be used, because a driver waits for queues that need them.
enum DriverThreads {
  private struct Pool {
    var work: [@Sendable () -> Void] = []
    var idle = 0
  }
  private static let pool = ConditionLock(Pool())
  /// How long an idle thread waits for its next simulation, in seconds.
  private static let patience = 2.0

  static func run(_ work: @escaping @Sendable () -> Void) {
    let mustCreate = pool.withLock(signalling: true) { pool in
      pool.work.append(work)
      return pool.work.count > pool.idle
    }
    guard mustCreate else { return }
    let thread = Thread { serve() }
    thread.name = "network-conditions.simulation"
    // A client's synchronous code runs here, so the stack is as large as a main thread's: 8 MiB.
    thread.stackSize = 8 << 20
    // Start it in real time, even when a captured client asks.
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

/// Runs code that may block, such as a user's, without delaying time or other work.
enum BlockingWork {
  /// The most blocking calls on Dispatch, which has 255 threads per process; further ones get new threads.
  private static let limit = 64
  private static let running = Atomic<Int>(0)

  static func run(_ work: @escaping @Sendable () -> Void) {
    let isLent = running.wrappingAdd(1, ordering: .relaxed).oldValue < limit
    let counted: @Sendable () -> Void = {
      work()
      running.wrappingSubtract(1, ordering: .relaxed)
    }
    if isLent {
      // A separate serial queue gets a thread at once. A concurrent one would wait for blocked threads.
      DispatchQueue(label: "network-conditions.blocking", qos: .userInitiated).async(execute: counted)
    } else {
      Thread.detachNewThread(counted)
    }
  }
}
