import Foundation

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
    if let (sent, expected) = output.uploaded {
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

  /// Shows it to a task's client.
  func set(in progress: Progress) {
    progress.totalUnitCount = total
    progress.completedUnitCount = completed
  }

  private mutating func advance(to completed: Int64, of total: Int64) {
    self.total = total
    self.completed = max(self.completed, completed)
  }
}
