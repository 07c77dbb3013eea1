import Foundation
import Internals

/// Reads `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date in one of HTTP's three forms.
enum RetryAfter {
  /// How long the server asked to wait, never below zero; `nil` where the value is neither seconds nor a date.
  ///
  /// A date is measured from that of the response, so that a wrong client clock does not change the wait.
  static func delay(_ value: String, date: String? = nil, now: @autoclosure () -> Date) -> Duration? {
    let text = value.trimmingCharacters(in: .whitespaces)
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // Ten digits are over 300 years, in effect forever; more could overflow.
      return .seconds(Int64(text.drop { $0 == "0" }.prefix(10)) ?? 0)
    }
    guard let until = HTTPDate.seconds(text) else { return nil }
    let from = date.flatMap(HTTPDate.seconds).map(Double.init) ?? now().timeIntervalSince1970
    return .milliseconds(Int64((min(max(0, Double(until) - from), 1e10) * 1000).rounded()))
  }

  /// The wait that a response's `Retry-After` asks for; `nil` without a valid one.
  static func delay(_ response: ResponseFacts, now: @autoclosure () -> Date) -> Duration? {
    response.header("Retry-After").flatMap { delay($0, date: response.header("Date"), now: now()) }
  }
}
