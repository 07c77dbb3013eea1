import Foundation
import Internals

/// A value guarded by a lock, on whose changes threads can wait.
// Unchecked: only the code under the condition's lock touches the value.
final class ConditionLock<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
  }

  /// Reads or changes the value; `signalling` wakes one waiting thread.
  func withLock<Result>(signalling: Bool = false, _ body: (inout Value) -> Result) -> Result {
    Innermost.check()
    condition.lock()
    defer { condition.unlock() }
    if signalling { condition.signal() }
    return body(&value)
  }

  /// Waits until `isReady`, a wake-up, or the end of `seconds` of real time, whichever is first.
  func wait(for seconds: Double, until isReady: (Value) -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    if isReady(value) { return }
    _ = condition.wait(until: Date(timeIntervalSinceNow: seconds))
  }
}
