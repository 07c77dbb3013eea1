import Testing

@testable import LinkSimulator

@Suite struct RenoTests {
  @Test func `a loss leaves half`() {
    var reno = Reno()
    #expect(reno.threshold(after: CongestionWindow(size: 101)) == 50)
    #expect(reno.threshold(after: CongestionWindow(size: 1)) == 2)
  }

  @Test func `the window grows by one segment for each window that has arrived`() {
    var (reno, window) = (Reno(), CongestionWindow(size: 20, threshold: 20))
    reno.grow(&window, by: 20, tick: 0)
    #expect(window.size == 21)
    reno.grow(&window, by: 20, tick: 0)
    #expect(window.size == 21)
    reno.grow(&window, by: 1, tick: 0)
    #expect(window.size == 22)
  }
}
