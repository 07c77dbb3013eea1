import ClientCapture
import Foundation
import Internals
import Synchronization

/// The refusal of one run that is no longer exact; prints its error on standard error.
///
/// Another thread finds the place in the client's code, because the caller may hold locks of Foundation.
final class RunRefusal: Sendable {
  private enum Standing: UInt8 {
    case open, refused
    /// The run has ended, so that it can no longer be refused.
    case closed
    /// The run has ended before its closure, so that its client must never continue.
    case abandoned
  }
  // Not an atomic enumeration, because debug builds look up types at each read of one.
  private let standing = Atomic(Standing.open.rawValue)
  private let said: ConditionLock<SimulationError?> = ConditionLock(nil)
  private let run: String

  /// How long to wait in seconds while the search for places makes no progress: it may need a lock that the caller
  /// holds.
  private static let patience = 60.0
  private static let found = Atomic(0)

  init(of run: CrashReporter) { self.run = run.text }

  var hasBegun: Bool { stands(.refused) }

  /// Whether the client must stand still, because the run is refused or ended before its closure.
  var holdsClient: Bool { stands(.refused) || stands(.abandoned) }

  var isOpen: Bool { stands(.open) }

  var isClosed: Bool { stands(.closed) }

  private func stands(_ standing: Standing) -> Bool { self.standing.load(ordering: .acquiring) == standing.rawValue }

  /// Changes the run's state if it is `former`; returns the state that was found.
  private func change(from former: Standing, to next: Standing) -> UInt8 {
    standing.compareExchange(
      expected: former.rawValue, desired: next.rawValue, ordering: .acquiringAndReleasing
    ).original
  }

  /// Ends the time in which the run can be refused; returns `false` if it was refused before.
  func close() -> Bool { change(from: .open, to: .closed) != Standing.refused.rawValue }

  /// Stops the client of an ended run for ever.
  func abandon() { _ = change(from: .closed, to: .abandoned) }

  /// The refusal, after it was printed; `nil` if there is none.
  var error: SimulationError? { hasBegun ? wait() : nil }

  /// Refuses the run, unless it is refused already or has ended.
  ///
  /// With `waits` it returns after the refusal was printed. A caller must not wait while it holds a queue that other
  /// threads need.
  func begin(
    at place: ClientPlace?, waits: Bool = true, _ error: @escaping @Sendable (_ place: String?) -> SimulationError
  ) {
    guard change(from: .open, to: .refused) == Standing.open.rawValue else { return }
    guard let place else { return say(error(nil)) }
    place.read { [self] text in
      Self.found.wrappingAdd(1, ordering: .relaxed)
      say(error(text))
    }
    if waits, wait(for: Self.patience) == nil { say(error(nil)) }
  }

  private func say(_ error: SimulationError) {
    said.withLock(signalling: true) { said in
      guard said == nil else { return }
      said = error
      StandardError.say("A simulated run is refused: \(run)\n\(error)")
    }
  }

  private func wait(for seconds: Double = .infinity) -> SimulationError? {
    RealTime.run {
      var (begin, found) = (DispatchTime.uptime, Self.found.load(ordering: .relaxed))
      while true {
        if let error = said.withLock({ $0 }) { return error }
        let now = Self.found.load(ordering: .relaxed)
        if now != found { (begin, found) = (DispatchTime.uptime, now) }
        if Double(DispatchTime.uptime - begin) > seconds * 1e9 { return nil }
        said.wait(for: 0.05) { $0 != nil }
      }
    }
  }
}
