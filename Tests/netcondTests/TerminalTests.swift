import Internals
import LinkSimulator
import NetworkConditions
import Testing

@testable import netcond

struct TerminalTests {
  @Test func `printed byte counts, rates and shares use the unit that suits their size`() {
    #expect(Amounts.bytes(999) == "999 B")
    #expect(Amounts.bytes(1000) == "1 kB")
    #expect(Amounts.bytes(999_999) == "1 MB")
    #expect(Amounts.bytes(300_000) == "300 kB")
    #expect(Amounts.rate(Bandwidth.kilobitsPerSecond(780)) == "780 kbit/s")
    #expect(Amounts.rate(Bandwidth?.none) == "unlimited")
    #expect(Amounts.percent(0.001) == "0.1 %")
    #expect([0, 1, 2].map { FigureText.count($0, "packet") } == ["0 packets", "1 packet", "2 packets"])
  }

  @Test func `a printed time is rounded before its unit is chosen`() {
    #expect(Amounts.time(.zero) == "0 ms")
    #expect(Amounts.time(.microseconds(250)) == "250 µs")
    #expect(Amounts.time(.milliseconds(40)) == "40 ms")
    #expect(Amounts.time(.microseconds(999_900)) == "1 s")
    #expect(Amounts.time(.milliseconds(3214)) == "3.21 s")
    #expect(Amounts.time(.seconds(125)) == "2 min 5 s")
    #expect(Amounts.time(.seconds(3600)) == "1 h")
  }

  @Test func `a countdown rounds up, so that zero means done`() {
    #expect(Amounts.clock(6.2) == "0:07")
    #expect(Amounts.clock(0) == "0:00")
    #expect(Amounts.clock(3599) == "59:59")
    #expect(Amounts.clock(3600) == "1:00:00")
    #expect(Amounts.clock(3725) == "1:02:05")
    #expect(Amounts.clock(.infinity) == "--:--")
  }

  @Test func `a bar grows in steps of an eighth of a character`() {
    #expect(Blocks.bar(0.5, width: 4) == "██")
    #expect(Blocks.bar(0.5 + 1.0 / 32, width: 4) == "██▏")
    #expect(Blocks.bar(2, width: 3) == "███")
    #expect(Blocks.bar(.nan, width: 3) == "")
  }

  @Test func `a sparkline shows every value above zero`() {
    #expect(Blocks.rows([0, 1, 1000], height: 1) == [" ▁█"])
    #expect(Blocks.rows([4, 8], height: 2, top: 8) == [" █", "██"])
    #expect(Blocks.rows([0, 0], height: 1) == ["  "])
  }

  @Test func `resampling values to fewer or more columns keeps their mean`() {
    #expect(Blocks.resampled([1, 3], to: 1) == [2])
    #expect(Blocks.resampled([1, 3], to: 4) == [1, 1, 3, 3])
    #expect(Blocks.resampled([], to: 4) == [])
  }

  @Test func `a table aligns its columns and cuts only the last one`() {
    var table = Table(columns: [.left("name"), .right("rate"), .left("what")])
    table.rows = [["a", "1 kbit/s", "a long story without an end"], ["long name", "20", ""]]
    let lines = table.lines(width: 34, style: .none)
    #expect(lines == ["name           rate  what", "a          1 kbit/s  a long story…", "long name        20"])
    // The last column keeps 8 characters on the narrowest terminal.
    #expect(table.lines(width: 10, style: .none)[1] == "a          1 kbit/s  a long …")
  }

  @Test func `control characters are replaced before they reach the terminal`() {
    #expect("a\u{1B}[2Jb\n\u{202E}".printable == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}")
    #expect("naïve 東京".printable == "naïve 東京")
  }

  @Test func `a style without colours prints plain text`() {
    #expect(Style.none(.bad, "x") == "x")
    #expect(Style(isOn: true)(.bad, "x") == "\u{1B}[31mx\u{1B}[0m")
  }

  @Test func `JSON output keeps the order of its members and escapes special characters`() {
    let json = JSON.members([("b", .real(1.5)), ("a", .array([.null, .bool(true)])), ("t", "\"\\\n\u{1}é")])
    #expect(json.lineText == #"{"b": 1.5, "a": [null, true], "t": "\"\\\n\u0001é"}"#)
    #expect(JSON(seconds: .microseconds(1_500_001)).lineText == "1.500001")
    #expect(JSON.integer(UInt64.max).lineText == "18446744073709551615")
  }
}
