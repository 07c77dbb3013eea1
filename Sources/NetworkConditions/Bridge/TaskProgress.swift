import Foundation
import Internals

/// A task's progress in bytes, for its `progress`; it never moves back.
///
/// If there is an upload, the answer counts for 5 % of the whole, whatever its size. On Apple's systems too, a task
/// that has sent everything stands at 0.95.
struct TaskProgress {
  /// The bytes of an upload that the server has, and how many of them the last output added.
  private var sent: Int64 = 0
  private(set) var justSent: Int64 = 0
  /// The size of the upload; `nil` while unknown.
  private var toSend: Int64? = 0
  private var completed: Int64 = 0
  /// The final value of `completed`; -1 while unknown.
  private var total: Int64 = -1

  mutating func take(_ output: ExchangeOutput) {
    // A redirect that drops the body does not reduce the bytes sent before.
    if let (sent, expected) = output.uploaded, expected != 0 {
      (justSent, toSend) = (max(0, sent - self.sent), expected)
      self.sent = sent
    }
    switch toSend {
    case 0:
      advance(to: output.received, of: output.expected ?? -1)
    case nil:
      advance(to: sent, of: -1)
    case let toSend?:
      let answer = max(1, toSend / 19)
      let part = output.expected.map { Double(output.received) / Double(max(1, $0)) } ?? 0
      advance(to: sent + Int64(Double(answer) * min(part, 1)), of: toSend + answer)
    }
    // If the server did not want the whole upload, the progress stays where it was, as on Linux.
    guard case .finished? = output.end, toSend.map({ sent >= $0 }) ?? true else { return }
    advance(to: max(1, completed, total), of: max(1, completed, total))
  }

  /// Writes the progress to a client's object, unless that shows a later value: a concurrent queue keeps no order.
  ///
  /// Foundation's `Progress` has no lock. For a custom protocol, Foundation changes it only if the client sets how many
  /// bytes it expects.
  func set(in progress: Progress) {
    Self.lock.withLock { _ in
      guard progress.completedUnitCount <= completed, total > 0 || progress.totalUnitCount <= 0 else { return }
      progress.totalUnitCount = total
      progress.completedUnitCount = completed
    }
  }

  private static let lock = Mutex(())

  /// Updates both numbers so that `Progress` does not abort: a known total never becomes 0, unknown or less than
  /// `completed`.
  private mutating func advance(to completed: Int64, of total: Int64) {
    self.completed = max(self.completed, completed)
    if total > 0 || self.total <= 0 { self.total = total > 0 ? max(total, self.completed) : -1 }
  }
}
