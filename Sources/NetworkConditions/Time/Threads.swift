import ClientCapture
import Dispatch
import Foundation
import Synchronization

/// The drivers' threads: each runs one simulation at a time, and waits a while for the next.
///
/// Dispatch's threads cannot be used, because a driver waits for queues that need them. A task that makes one run after
/// another prefers this executor: it continues on the thread of the run that ended, which then takes its next run. So no
/// other thread has to wake up between two runs.
package final class DriverThreads: TaskExecutor {
  private static let shared = DriverThreads()
  /// The executor for tasks that make runs; `nil` inside a simulation, which must see its own tasks to refuse a run there.
  package static var executor: DriverThreads? { SimulationContext.isInside ? nil : shared }

  private typealias Work = @Sendable () -> Void
  /// The state of a driver thread; it takes work that was kept for it before any other.
  private enum Seat {
    case works, keepsNext
    case kept(Work)
  }
  private struct Pool {
    var work: [Work] = []
    var idle = 0
    var seats: [UInt: Seat] = [:]

    mutating func next(for thread: UInt) -> Work? {
      guard case .kept(let work) = seats[thread] else { return self.work.popLast() }
      seats[thread] = .works
      return work
    }
  }
  private static let pool = ConditionLock(Pool())
  /// How long an idle thread waits for its next simulation, in seconds.
  private static let patience = 2.0

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Self.run { [self] in Self.keepingNext { job.runSynchronously(on: asUnownedTaskExecutor()) } }
  }

  static func run(_ work: @escaping @Sendable () -> Void) {
    let mustCreate = pool.withLock(signalling: true) { pool in
      if case .keepsNext = pool.seats[CurrentThread.number] {
        pool.seats[CurrentThread.number] = .kept(work)
        return false
      }
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

  /// If a thread of the pool is calling, keeps the closure's first work for it; the caller must end its own work soon.
  static func keepingNext(_ body: () -> Void) {
    let thread = CurrentThread.number
    pool.withLock { pool in if pool.seats[thread] != nil { pool.seats[thread] = .keepsNext } }
    body()
    pool.withLock { pool in if case .keepsNext = pool.seats[thread] { pool.seats[thread] = .works } }
  }

  private static func serve() {
    let thread = CurrentThread.number
    pool.withLock { $0.seats[thread] = .works }
    defer { pool.withLock { _ = $0.seats.removeValue(forKey: thread) } }
    while true {
      if let work = pool.withLock({ $0.next(for: thread) }) {
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
