import Foundation
import Internals

extension SimulatedInstant {
  /// The date of a simulation at this time; a captured client's dates begin on 1 January 2026.
  var simulatedDate: Date { Date(timeIntervalSince1970: 1_767_225_600 + Double(nanoseconds) / 1e9) }
}

extension Date {
  /// The date after a wait, as HTTP writes it, rounded up to a second.
  func httpText(after wait: Duration) -> String {
    HTTPDate.text(Int(min(timeIntervalSince1970.rounded(.up) + Double(wait.secondsRoundedUp), HTTPDate.last)))
  }
}
