import Internals
import Testing

struct FigureTextTests {
  @Test func `a rate that would round up to 1000 is written in the next larger unit`() {
    #expect(FigureText.rate(999.4) == "999 bit/s")
    #expect(FigureText.rate(999.6) == "1 kbit/s")
  }

  @Test(arguments: [
    (0, "0"), (0.0994, "0.099"), (0.0995, "0.1"), (9.99, "9.99"), (9.995, "10"), (99.94, "99.9"), (99.95, "100"),
    (-0.0001, "0"), (-1.5, "-1.5"),
  ])
  func `a number has three significant digits, without zeros at its end`(value: Double, text: String) {
    #expect(FigureText.digits(value) == text)
  }

  @Test(arguments: [
    (0, "0"), (0.00001, "0.1"), (0.001, "0.1"), (0.1234, "12.3"), (0.99999, "99.9"), (1, "100"), (1.5, "150"),
  ])
  func `only zero is printed as 0 %, and only one as 100 %`(share: Double, text: String) {
    #expect(FigureText.percent(share) == text)
  }

  @Test(arguments: [
    (0, "0 s"), (1, "0.001 µs"), (999_499, "999 µs"), (999_500, "1 ms"), (999_499_999, "999 ms"), (999_500_000, "1 s"),
    (119_499_999_999, "119 s"), (119_500_000_000, "2 min"), (125_000_000_000, "2 min 5 s"),
    (3_600_000_000_000, "1 h"), (3_605_000_000_000, "1 h 5 s"), (3_725_000_000_000, "1 h 2 min"),
  ])
  func `a printed duration has at most two units, the largest ones`(nanoseconds: Int64, text: String) {
    #expect(FigureText.time(nanoseconds: nanoseconds) == text)
  }

  @Test func `a number of bytes is rounded, and a missing one is a dash`() {
    #expect([nil, 0.6, 999.4, 999.5, 1_234].map(FigureText.bytes) == ["–", "1 B", "999 B", "1 kB", "1.23 kB"])
    #expect(FigureText.bytes(5e15) == "5000 TB" && FigureText.rate(nil) == "unlimited")
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
