import Foundation
import Internals
import NetworkConditions

/// The end of the process by Foundation's own session, which traps on Linux at an answer with trailer fields.
enum SessionTrap {
  /// How long the last work may take, in seconds: the dead thread may hold a lock that it needs.
  private static let patience: UInt32 = 5

  /// If the process dies of a trap, first calls `save`, and prints its words and what is known.
  static func explain(by command: String, on console: Console, _ save: @escaping @Sendable () -> String = { "" }) {
    CrashReporter.onDeath { signal in
      _ = alarm(patience)
      let known = "On Linux, Foundation's session does so at an answer in chunks with trailer fields."
      let sentence = "\(signal) ended the program. \(known)\(save())"
      console.fail("\(command): \(Explanation.transferFailed.ending(sentence))")
    }
  }
}
