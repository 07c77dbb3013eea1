import Foundation

/// Threads for drivers: each runs one simulation at a time, and waits a while for the next.
///
/// Not dispatch's: a driver waits for queues of Foundation's, which need those.
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
    thread.start()
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
