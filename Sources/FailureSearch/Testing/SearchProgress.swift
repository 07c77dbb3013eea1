import Dispatch
import Foundation
import Internals
import NetworkConditions

/// Says on standard error how far the long search of a test is: after ten seconds, then each time after twice as long.
package final class SearchProgress: Sendable {
  private static let first = Duration.seconds(10)

  private let name: String
  private let begin = DispatchTime.uptime
  private let due = Locked(first)

  package init(_ name: String) {
    self.name = name
  }

  package func note(_ done: Int, of all: Int) {
    guard let line = line(done, of: all, after: .nanoseconds(DispatchTime.uptime - begin)) else { return }
    StandardError.say(line)
  }

  /// The line for this time; `nil` when none is due.
  func line(_ done: Int, of all: Int, after elapsed: Duration) -> String? {
    due.withLock { due in
      guard elapsed >= due else { return nil }
      while due <= elapsed { due *= 2 }
      // An exploration finds more runs on the way.
      let runs = "\(FigureText.grouped(done)) of \(FigureText.grouped(all)) known runs"
      return "\(name): \(runs) after \(Duration.seconds(elapsed.components.seconds).formatText)"
    }
  }
}
