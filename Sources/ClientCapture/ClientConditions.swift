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

    private static let waiters = Mutex<[UInt: [Waiter]]>([:])
    private static let count = Atomic(0)
    /// The condition variables on which threads of ended simulations wait in real time.
    private static let strays = Mutex<[UInt: Int]>([:])

    static func add(_ waiter: Waiter, to condition: UnsafeMutableRawPointer) {
      count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      let condition = UInt(bitPattern: condition)
      waiters.withLock { $0[condition, default: []].append(waiter) }
    }

    static func remove(_ waiter: Waiter, from condition: UnsafeMutableRawPointer) {
      let condition = UInt(bitPattern: condition)
      waiters.withLock { waiters in
        waiters[condition]?.removeAll { $0 === waiter }
        if waiters[condition]?.isEmpty == true { waiters[condition] = nil }
      }
      count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    /// Waits in real time; a waiting thread of an ended simulation is counted for ``keepsInside(_:)`` meanwhile.
    static func waitOutside(_ condition: UnsafeMutableRawPointer?, _ wait: () -> Int32) -> Int32 {
      guard let condition, ClientThread.isStray else { return wait() }
      let key = UInt(bitPattern: condition)
      strays.withLock { $0[key, default: 0] += 1 }
      defer {
        strays.withLock { strays in
          let left = (strays[key] ?? 1) - 1
          strays[key] = left == 0 ? nil : left
        }
      }
      return wait()
    }

    /// Whether a signal must stay inside the simulation: outside, it could wake a thread that an ended simulation left
    /// behind.
    static func keepsInside(_ condition: UnsafeMutableRawPointer) -> Bool {
      ClientThread.current != nil && strays.withLock { $0[UInt(bitPattern: condition)] != nil }
    }

    /// Signals the first waiter, or all; returns whether there was a waiter.
    static func signal(_ condition: UnsafeMutableRawPointer, all: Bool) -> Bool {
      if count.load(ordering: .sequentiallyConsistent) == 0 { return false }
      let condition = UInt(bitPattern: condition)
      return waiters.withLock { waiters in
        let asleep = (waiters[condition] ?? []).filter { !$0.isSignalled.load(ordering: .relaxed) }
        for waiter in all ? asleep[...] : asleep.prefix(1) { waiter.isSignalled.store(true, ordering: .releasing) }
        return !asleep.isEmpty
      }
    }
  }
#endif
