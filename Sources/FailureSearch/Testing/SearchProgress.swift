import Dispatch
import Foundation
import Internals
import NetworkConditions

/// Says on standard error how far the long search of a test is: after ten seconds, then each time after twice as long.
package final class SearchProgress: Sendable {
  private static let first = Duration.seconds(10)

  private let name: String
  private let begin = DispatchTime.uptime
  private struct State {
    var due = SearchProgress.first
    var all = 0
    var part = 0
  }
  private let state = Locked(State())

  package init(_ name: String) {
    self.name = name
  }

  package func note(_ done: Int, of all: Int) {
    guard let line = line(done, of: all, after: .nanoseconds(DispatchTime.uptime - begin)) else { return }
    StandardError.say(line)
  }

  /// The line for this time; `nil` when none is due.
  func line(_ done: Int, of all: Int, after elapsed: Duration) -> String? {
    state.withLock { state in
      // An exploration has several parts, and knows the length of each when it begins.
      if state.all != all { (state.all, state.part) = (all, state.part + 1) }
      guard elapsed >= state.due else { return nil }
      while state.due <= elapsed { state.due *= 2 }
      let runs = "\(FigureText.grouped(done)) of \(FigureText.grouped(all)) runs"
      let part = state.part > 1 ? ", part \(state.part)" : ""
      return "\(name)\(part): \(runs) after \(Duration.seconds(elapsed.components.seconds).formatText)"
    }
  }
}
