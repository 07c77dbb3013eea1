import Testing

@testable import netcond

struct SeedRangeTests {
  @Test(
    arguments: [
      ("200", 0..<200), ("1", 0..<1), ("0..<200", 0..<200), ("100...199", 100..<200), ("5..<6", 5..<6),
      ("18446744073709551600..<18446744073709551610", 18_446_744_073_709_551_600..<18_446_744_073_709_551_610),
    ] as [(String, Range<UInt64>)])
  func `a count or a range of numbers is read as seeds`(text: String, seeds: Range<UInt64>) {
    #expect(SeedRange(text)?.seeds == seeds)
  }

  @Test(arguments: [
    "", "0", "-1", "x", "1.5", "1e3", "5..<5", "6..<5", "5...4", "..<5", "5..<", "1..<2..<3", "1000001",
    "0..<1000001", "0...1000000", "0..<99999999999999999999", "18446744073709551615...18446744073709551615",
    "0...18446744073709551615", " 5", "0 ..< 5",
  ])
  func `a text that is no range of seeds is refused`(text: String) {
    #expect(SeedRange(text) == nil)
  }

  @Test func `a range of seeds is written in a form that can be read again`() {
    #expect(SeedRange(count: 200).text == "200")
    #expect(SeedRange("7...9")?.text == "7..<10")
    #expect(SeedRange("7...9")?.count == 3)
  }
}
