import Internals
import Testing

struct HTTPDateTests {
  @Test(arguments: [
    // Two-digit years: 70 to 99 are 1970 to 1999, and 00 to 69 are 2000 to 2069.
    ("Thursday, 01-Jan-70 00:00:00 GMT", 0), ("Monday, 31-Dec-79 23:59:59 GMT", 315_532_799),
    ("Friday, 29-Feb-80 00:00:00 GMT", 320_630_400), ("Friday, 31-Dec-99 00:00:00 GMT", 946_598_400),
    ("Tuesday, 29-Feb-00 12:30:15 GMT", 951_827_415), ("Tuesday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
    // Years with three or four digits are taken literally.
    ("Wed, 06 Nov 199 00:00:00 GMT", -55_860_624_000), ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sun, 06 Nov 1994 08:49:37 gmt", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Sun, 28 Feb 2100 00:00:00 GMT", 4_107_456_000),
    ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Wed, 31 Jan 2024 23:59:59 GMT", 1_706_745_599),
    // A leap second is the first of the next minute.
    ("Wed, 31 Jan 2024 23:59:60 GMT", 1_706_745_600),
  ])
  func `each HTTP date format is parsed to the right second since 1970`(text: String, seconds: Int) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test func `each month of an HTTP date begins and ends at the right second`() {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var begin = 1_672_531_200
    for (month, days) in zip(months, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
      #expect(HTTPDate.seconds("Sun, 01 \(month) 2023 00:00:00 GMT") == begin)
      begin += days * 86_400
      let last = HTTPDate.seconds("Sun, \(days) \(month.uppercased()) 2023 23:59:59 GMT")
      #expect(last == begin - 1)
    }
  }

  @Test func `times of an HTTP date are parsed to the second, and impossible times are refused`() {
    func second(_ time: String) -> Int? {
      HTTPDate.seconds("Thu, 01 Jan 1970 \(time) GMT")
    }
    #expect(second("00:00:01") == 1)
    #expect(second("00:01:00") == 60)
    #expect(second("01:00:00") == 3_600)
    #expect(second("23:59:59") == 86_399)
    for time in ["24:00:00", "00:60:00", "00:00:61", "00:00", "00:00:00:00", "00::00", ":00:00"] {
      #expect(second(time) == nil, "\(time)")
    }
  }

  @Test(arguments: [
    "Sun, 00 Jan 2023 00:00:00 GMT", "Sun, 32 Jan 2023 00:00:00 GMT",
    "Sun, 01 Jan 10000 00:00:00 GMT", "Sun, 01 Jan 2023 00:00:00 UTC", "Sun, 01 Jan 2023 00:00:00",
    "Sun Jan 01 00:00:00", "Sun, 01 Jan 2023 GMT", "", "Sun Jan 01 00:00:00 2023 GMT extra",
  ])
  func `an HTTP date with an impossible day, year or format is refused`(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }

  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (1_767_225_605, "Thu, 01 Jan 2026 00:00:05 GMT"), (951_827_415, "Tue, 29 Feb 2000 12:30:15 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (-86_400, "Wed, 31 Dec 1969 00:00:00 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-55_860_624_000, "Wed, 06 Nov 0199 00:00:00 GMT"),
  ])
  func `a date is written as HTTP has it, and read again`(seconds: Int, text: String) {
    #expect(HTTPDate.text(seconds) == text)
    #expect(HTTPDate.seconds(text) == seconds)
  }
}
