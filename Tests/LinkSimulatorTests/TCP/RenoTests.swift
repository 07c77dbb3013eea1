import Testing

@testable import LinkSimulator

struct RenoTests {
  @Test func `a loss reduces Reno's window to half, at least two segments`() {
    var reno = Reno()
    #expect(reno.threshold(after: CongestionWindow(size: 101)) == 50)
    #expect(reno.threshold(after: CongestionWindow(size: 1)) == 2)
  }

  @Test func `slow start ends at its threshold and returns the remaining acknowledged segments`() {
    var window = CongestionWindow(size: 10, threshold: 12)
    #expect(window.growInSlowStart(by: 1) == nil)
    #expect(window.growInSlowStart(by: 5) == 4)
    #expect(window.size == 12)
  }

  @Test func `Reno's window grows by one segment for each acknowledged window`() {
    var (reno, window) = (Reno(), CongestionWindow(size: 20, threshold: 20))
    reno.grow(&window, by: 20, tick: 0)
    #expect(window.size == 21)
    reno.grow(&window, by: 20, tick: 0)
    #expect(window.size == 21)
    reno.grow(&window, by: 1, tick: 0)
    #expect(window.size == 22)
  }
}
