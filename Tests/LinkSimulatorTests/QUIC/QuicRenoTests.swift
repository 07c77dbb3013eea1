import Testing

@testable import LinkSimulator

struct QuicRenoTests {
  @Test func `a loss reduces QUIC's Reno window to seven tenths`() {
    var reno = QuicReno()
    var window = CongestionWindow()
    window.size = 100
    #expect(reno.threshold(after: window) == 70)
  }

  @Test func `the window keeps its size in bytes when packets become larger`() {
    var reno = QuicReno()
    var window = CongestionWindow()
    window.size = 100
    reno.resize(&window, from: 1_200, to: 1_400)
    #expect(window.size == 86)
  }
}
