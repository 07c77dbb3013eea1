import Foundation
import Testing

@testable import TrafficRecording

struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"),
    ("2026-02-01T00:30:00+01:00", "2026-01-31T23:30:00.000000Z"),
    ("2024-02-29T12:00:00.5-0530", "2024-02-29T17:30:00.500000Z"),
    ("1999-12-31T23:59:59.9999999Z", "2000-01-01T00:00:00.000000Z"),
    ("2026-01-31 10:20:30", "2026-01-31T10:20:30.000000Z"), ("2026-01-31T10:20Z", "2026-01-31T10:20:00.000000Z"),
    ("1969-07-20T20:17:40Z", "1969-07-20T20:17:40.000000Z"),
    // A leap second is the first of the next minute.
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z"), ("2026-01-31T23:59:59Z", "2026-01-31T23:59:59.000000Z"),
    ("2026-03-01T00:00:00-23:59", "2026-03-01T23:59:00.000000Z"),
  ])
  func `every form of ISO 8601 date that tools write is read`(text: String, utc: String) throws {
    #expect(Timestamp.text(try #require(Timestamp.parse(text))) == utc)
  }

  @Test(arguments: [
    "0001-01-01", "0400-02-29", "1900-02-28", "1900-03-01", "1999-12-31", "2000-02-29", "2000-03-01", "2099-12-31",
    "2100-02-28", "2100-03-01", "2399-12-31", "2400-02-29", "2400-03-01", "9999-12-31",
  ])
  func `a date beside a leap day, or at the end of a century, is written as it was read`(day: String) throws {
    #expect(Timestamp.text(try #require(Timestamp.parse("\(day)T00:00:00Z"))) == "\(day)T00:00:00.000000Z")
  }

  @Test(arguments: [
    "", "now", "2026-13-01T00:00:00Z", "2026-01-31", "2026-01-31T25:00:00Z", "2026-01-31T10:20:30Zx",
    "2026-01-31T10:20:30+9", "2026-01-31T24:00:00Z", "2026-01-31T10:60:00Z", "2026-01-31T10:20:61Z",
    "2026-00-31T10:20:30Z", "2026-01-00T10:20:30Z", "2026-01-32T10:20:30Z", "2026-01-31T10:20:30+24:00",
    "2026-01-31T10:20:30+01:60",
  ])
  func `a text that is not a complete date is refused`(text: String) {
    #expect(Timestamp.parse(text) == nil)
  }

  @Test func `a date beyond the year 9999 is written as a date in a representable year`() {
    #expect(Timestamp.text(.distantFuture).hasPrefix("4001-"))
    #expect(Timestamp.text(Date(timeIntervalSince1970: 1e15)).hasPrefix("9999-"))
  }
}
