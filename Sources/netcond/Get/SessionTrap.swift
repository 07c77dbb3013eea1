import Foundation
import Internals
import NetworkConditions

/// Explains a crash of Foundation's session on Linux: it traps when an answer has trailer fields.
enum SessionTrap {
  /// How long `save` may take, in seconds: the crashed thread may hold a lock that it needs.
  private static let patience: UInt32 = 5

  /// If the process traps, calls `save` and prints its text and the known cause.
  static func explain(by command: String, on console: Console, _ save: @escaping @Sendable () -> String = { "" }) {
    CrashReporter.onDeath { signal in
      _ = alarm(patience)
      let known = "On Linux, Foundation's session does so at an answer in chunks with trailer fields."
      let sentence = "\(signal) ended the program. \(known)\(save())"
      console.fail("\(command): \(Explanation.transferFailed.ending(sentence))")
    }
  }
}
