import Testing

@testable import netcond

struct WaterfallTests {
  @Test func `a waterfall bar starts in its column and is at least one character wide`() {
    #expect(Waterfall.bar(from: 0, to: 1, columns: 8) == "████████")
    #expect(Waterfall.bar(from: 0.5, to: 0.75, columns: 8) == "    ██")
    #expect(Waterfall.bar(from: 0.5, to: 0.5, columns: 8) == "    ▏")
    #expect(Waterfall.bar(from: 1, to: 1, columns: 8) == "       █")
  }

  @Test(arguments: [40, 80, 120, 200])
  func `the bars of netcond get fit the terminal`(width: Int) async {
    let outcome = await Shell(width: width).run("get", "--profile", "very bad network", "--seed", "1")
    #expect(outcome.status == .done)
    let bars = outcome.lines.filter { $0.contains("█") }
    #expect(!bars.isEmpty)
    for line in bars { #expect(line.count <= width, "\(line)") }
    for line in outcome.lines { #expect(line.last != " ", "\(line)") }
  }

  @Test func `the bytes of a TLS record are spread over its arrival time, and a stall stays empty`() {
    #expect(Waterfall.spread([0, 0, 0, 0, 9, 0, 0, 9, 0, 0, 9], from: 2) == [0, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3])
    #expect(Waterfall.spread([2, 2, 0, 0, 0, 0, 2, 2], from: 0) == [2, 2, 0, 0, 0, 1, 1, 2])
    #expect(Waterfall.spread([4, 0, 4], from: 1) == [4, 2, 2])
    #expect(Waterfall.spread([], from: 0) == [])
  }
}
