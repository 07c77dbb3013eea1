import Foundation
import Synchronization

/// Tries calls that must trap, all in one process: a trap stops only the calling thread.
package enum Traps {
  private static let ended = DispatchSemaphore(value: 0)

  /// Returns the numbers of the calls that return.
  ///
  /// Call it only in a process that a test starts: it handles the signals of traps.
  package static func returning(_ calls: [@Sendable () -> Any]) -> [Int] {
    _ = ended
    for trap in [SIGILL, SIGTRAP] {
      signal(trap) { _ in
        Traps.ended.signal()
        while true { pause() }
      }
    }
    return calls.indices.filter { number in
      let hasReturned = Atomic(false)
      Thread.detachNewThread {
        _ = calls[number]()
        hasReturned.store(true, ordering: .relaxed)
        ended.signal()
      }
      ended.wait()
      return hasReturned.load(ordering: .relaxed)
    }
  }
}
