import Dispatch
import Foundation
import Synchronization

/// Runs code that may block, such as a user's, so that neither time nor anything else has to wait for it.
enum BlockingWork {
  /// Dispatch has 255 threads for all of a process: so many of them are lent, and whoever comes then gets one of its own.
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
