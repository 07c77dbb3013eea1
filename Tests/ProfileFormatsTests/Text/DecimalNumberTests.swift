import Testing

@testable import ProfileFormats

struct DecimalNumberTests {
  @Test(arguments: [
    ("0", 0), ("1.5", 1_500), ("1e3", 1_000_000), (".5", 500), ("5.", 5_000), ("0.0004", 0), ("0.0005", 1),
    ("00012", 12_000),
    ("1e-2", 10), ("+2", 2_000), ("0e999999999999", 0), ("1e-999999999999", 0), ("1e-99999999999999999999", 0),
    ("123456789012345678", 123_456_789_012_345_678_000 as Int128),
  ])
  func `a decimal number times 1000 is rounded exactly`(text: String, thousandths: Int128) throws {
    let number = try #require(DecimalNumber(text))
    let expected = Int64(exactly: thousandths)
    #expect(number.count(times: 1_000) == expected)
  }

  @Test(arguments: ["", ".", "-", "e5", "1e", "1x", "nan", "inf", "0x10", "1,5", "--1", "1 "])
  func `a text that is not a decimal number is refused`(text: String) { #expect(DecimalNumber(text) == nil) }

  @Test(arguments: [
    "-1", "1e99", "1e99999999999999999999", "9223372036854775808", "99999999999999999999999999999999999999999999",
  ])
  func `a negative or too large number gives no count`(text: String) throws {
    #expect(try #require(DecimalNumber(text)).count() == nil)
  }

  @Test func `the text after a number is read as its unit`() throws {
    let (number, rest) = try #require(DecimalNumber.prefix(of: "1.5e3Mbit"))
    #expect(number.count() == 1_500)
    #expect(rest == "Mbit")
    #expect(DecimalNumber.prefix(of: "5each")?.rest == "each")
  }
}
