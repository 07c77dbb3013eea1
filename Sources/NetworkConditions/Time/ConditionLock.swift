import Foundation
import Internals

/// A value behind a lock that can be waited on.
// Unchecked: all access goes through the condition.
final class ConditionLock<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
  }

  /// Reads or changes the value; `signalling` wakes who waits.
  func withLock<Result>(signalling: Bool = false, _ body: (inout Value) -> Result) -> Result {
    Innermost.check()
    condition.lock()
    defer { condition.unlock() }
    if signalling { condition.signal() }
    return body(&value)
  }

  /// Waits until `isReady`, at most so many real seconds, or until it is woken once.
  func wait(for seconds: Double, until isReady: (Value) -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    if isReady(value) { return }
    _ = condition.wait(until: Date(timeIntervalSinceNow: seconds))
  }
}
