#if os(Linux)
  import Interposition
  import Internals
  import struct Synchronization.Atomic

  /// The condition variables on which simulations' threads wait.
  ///
  /// One table for all simulations, because any thread may signal a condition variable.
  enum ClientConditions {
    final class Waiter: Sendable {
      let isSignalled = Atomic(false)
    }

    private static let waiters = Mutex<[(condition: UInt, waiter: Waiter)]>([])
    private static let count = Atomic(0)

    static func add(_ waiter: Waiter, to condition: UnsafeMutableRawPointer) {
      count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      let condition = UInt(bitPattern: condition)
      waiters.withLock { $0.append((condition, waiter)) }
    }

    static func remove(_ waiter: Waiter) {
      waiters.withLock { $0.removeAll { $0.waiter === waiter } }
      count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    /// Signals the first waiter, or all; returns whether there was a waiter.
    static func signal(_ condition: UnsafeMutableRawPointer, all: Bool) -> Bool {
      if count.load(ordering: .sequentiallyConsistent) == 0 { return false }
      let condition = UInt(bitPattern: condition)
      return waiters.withLock { waiters in
        let asleep = waiters.filter { $0.condition == condition }.map(\.waiter)
          .filter { !$0.isSignalled.load(ordering: .relaxed) }
        for waiter in all ? asleep[...] : asleep.prefix(1) { waiter.isSignalled.store(true, ordering: .releasing) }
        return !asleep.isEmpty
      }
    }
  }
#endif
