import Internals
import Testing

@Suite struct FigureTextTests {
  @Test func `a rate changes its unit where three digits would round up to a thousand`() {
    #expect(FigureText.rate(999.4) == "999 bit/s")
    #expect(FigureText.rate(999.6) == "1 kbit/s")
  }

  @Test func `digits are grouped from the right`() {
    #expect(
      [0, 999, 12_345, 1_234_567, -1_000].map(FigureText.grouped) == ["0", "999", "12,345", "1,234,567", "-1,000"])
  }

  @Test func `a field of CSV is in quotes where it must be, and its own quotes are doubled`() {
    #expect("plain".csvField == "plain")
    #expect("a,b".csvField == #""a,b""#)
    #expect(#"say "hi""#.csvField == #""say ""hi""""#)
  }

  @Test func `a last column of numbers is flush right`() {
    let table = Table(columns: [.left("name"), .right("n")], rows: [["a", "5"], ["b", "10"]])
    #expect(table.lines(width: 40, style: .none) == ["name   n", "a      5", "b     10"])
  }
}
