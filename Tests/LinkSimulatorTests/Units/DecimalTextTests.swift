import LinkSimulator
import Testing

struct DecimalTextTests {
  @Test func `a count is written as a decimal number with the requested places`() {
    #expect(DecimalText.of(1_500, places: 3) == "1.5")
    #expect(DecimalText.of(5, places: 3) == "0.005")
    #expect(DecimalText.of(-1_000, places: 3) == "-1")
    #expect(DecimalText.of(0, places: 6) == "0")
    #expect(DecimalText.of(12, places: 0) == "12")
    #expect(DecimalText.of(1_500, places: 6, keepsZeros: true) == "0.001500")
    #expect(DecimalText.of(Int64.min, places: 18) == "-9.223372036854775808")
    #expect(DecimalText.seconds(3_209_500_000) == "3.210 s" && DecimalText.seconds(499_999) == "0.000 s")
  }
}
