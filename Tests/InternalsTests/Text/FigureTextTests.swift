import Internals
import Testing

struct FigureTextTests {
  @Test func `a rate that would round up to 1000 is written in the next larger unit`() {
    #expect(FigureText.rate(999.4) == "999 bit/s")
    #expect(FigureText.rate(999.6) == "1 kbit/s")
  }

  @Test func `a large number has a comma before every third digit from the right`() {
    #expect(
      [0, 999, 12_345, 1_234_567, -1_000].map(FigureText.grouped) == ["0", "999", "12,345", "1,234,567", "-1,000"])
  }

  @Test func `a CSV field with a comma or quotes is quoted, and its quotes are doubled`() {
    #expect("plain".csvField == "plain")
    #expect("a,b".csvField == #""a,b""#)
    #expect(#"say "hi""#.csvField == #""say ""hi""""#)
  }

  @Test func `a table aligns a last column of numbers to the right`() {
    let table = Table(columns: [.left("name"), .right("n")], rows: [["a", "5"], ["b", "10"]])
    #expect(table.lines(width: 40, style: .none) == ["name   n", "a      5", "b     10"])
  }
}
