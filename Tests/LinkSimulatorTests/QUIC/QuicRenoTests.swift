import Testing

@testable import LinkSimulator

@Suite struct QuicRenoTests {
  @Test func `a loss leaves seven tenths of the window`() {
    var reno = QuicReno()
    var window = CongestionWindow()
    window.size = 100
    #expect(reno.threshold(after: window) == 70)
  }

  @Test func `larger packets leave the window its bytes`() {
    var reno = QuicReno()
    var window = CongestionWindow()
    window.size = 100
    reno.resize(&window, from: 1_200, to: 1_400)
    #expect(window.size == 86)
  }
}
