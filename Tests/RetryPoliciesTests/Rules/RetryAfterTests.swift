import Foundation
import Testing

@testable import RetryPolicies

extension RetryPoliciesTests {
  struct RetryAfterTests {
    /// RFC 9110's own example: Sun, 06 Nov 1994 08:49:37 GMT is 784111777.
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(arguments: [
      ("120", 120), (" 0 ", 0), ("3600", 3600),
      ("Sun, 06 Nov 1994 08:51:37 GMT", 120), ("Sunday, 06-Nov-94 08:51:37 GMT", 120),
      ("Sun Nov  6 08:51:37 1994", 120), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
      ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Wed, 06 Nov 2024 08:49:37 GMT", 946_771_200),
    ])
    func `Retry-After is parsed from seconds and from all three date formats`(value: String, seconds: Int) {
      #expect(RetryAfter.delay(value, now: now) == .seconds(seconds))
    }

    @Test(arguments: [
      "", "-1", "1.5", "soon", "12s", "Sun, 06 Nov 1994", "Sun, 40 Nov 1994 08:49:37 GMT",
      "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
    ])
    func `a Retry-After that is neither seconds nor a date is ignored`(value: String) {
      #expect(RetryAfter.delay(value, now: now) == nil)
    }

    @Test func `a Retry-After date is counted from the server's Date header`() {
      let head = ResponseFacts(
        status: 503,
        headers: ["retry-after": "Sun, 06 Nov 1994 08:49:47 GMT", "DATE": "Sun, 06 Nov 1994 08:49:37 GMT"])
      #expect(RetryAfter.delay(head, now: Date(timeIntervalSince1970: 0)) == .seconds(10))
    }

    @Test func `zeros before the number of a Retry-After do not change it`() {
      #expect(RetryAfter.delay("000000000060", now: now) == .seconds(60))
      #expect(RetryAfter.delay("000000000000", now: now) == .zero)
    }

    @Test func `a Retry-After of forty digits waits for more than thirty years`() {
      #expect(RetryAfter.delay(String(repeating: "9", count: 40), now: now)! > .seconds(1_000_000_000))
    }
  }
}
