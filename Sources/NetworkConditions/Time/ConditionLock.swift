import Foundation
import Internals

/// A value guarded by a lock; threads can wait until it changes.
// Unchecked: only the code under the condition's lock touches the variables.
final class ConditionLock<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value
  private var waiters = 0

  init(_ value: sending Value) {
    self.value = value
  }

  /// Reads or changes the value; `signalling` wakes one waiting thread.
  func withLock<Result>(signalling: Bool = false, _ body: (inout Value) -> Result) -> Result {
    Innermost.check()
    condition.lock()
    defer { condition.unlock() }
    if signalling, waiters > 0 { condition.signal() }
    return body(&value)
  }

  /// Waits until `isReady`, a wake-up, or the end of `seconds` of real time, whichever is first.
  func wait(for seconds: Double, until isReady: (Value) -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    if isReady(value) { return }
    waiters += 1
    defer { waiters -= 1 }
    _ = condition.wait(until: Date(timeIntervalSinceNow: seconds))
  }
}
