import Foundation
import Internals

/// How far a task is, in the units of its `progress`: bytes, and never fewer than before.
///
/// Beside an upload its answer counts for 5 % of the whole, however large it turns out to be, as on Apple's systems,
/// where a task that has sent everything stands at 0.95.
struct TaskProgress {
  /// How much of an upload the server has, and how much of it was new.
  private var sent: Int64 = 0
  private(set) var justSent: Int64 = 0
  /// How much it will have; `nil` while that is not known.
  private var toSend: Int64? = 0
  private var completed: Int64 = 0
  /// The final value of `completed`; -1 while that is not known.
  private var total: Int64 = -1

  /// Takes in an exchange's output.
  mutating func take(_ output: ExchangeOutput) {
    // A redirect that drops the body takes nothing back of what was sent before.
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
    // An upload that its server did not want all of stays where it was, as on Linux.
    guard case .finished? = output.end, toSend.map({ sent >= $0 }) ?? true else { return }
    advance(to: max(1, completed, total), of: max(1, completed, total))
  }

  /// Shows it to a task's client, unless that has seen more: a queue of several threads keeps no order.
  ///
  /// Foundation's `Progress` locks nothing. Of a custom protocol's task it changes it itself only where a client sets how many
  /// bytes it expects.
  func set(in progress: Progress) {
    Self.lock.withLock { _ in
      guard progress.completedUnitCount <= completed, total > 0 || progress.totalUnitCount <= 0 else { return }
      progress.totalUnitCount = total
      progress.completedUnitCount = completed
    }
  }

  private static let lock = Mutex(())

  /// Foundation's `Progress` aborts the process over a total that was known and is 0 or unknown now, or is below what is done.
  private mutating func advance(to completed: Int64, of total: Int64) {
    self.completed = max(self.completed, completed)
    if total > 0 || self.total <= 0 { self.total = total > 0 ? max(total, self.completed) : -1 }
  }
}
