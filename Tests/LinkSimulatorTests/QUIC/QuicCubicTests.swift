import Testing

@testable import LinkSimulator

struct QuicCubicTests {
  private func window(_ size: Int) -> CongestionWindow {
    var window = CongestionWindow()
    (window.size, window.threshold) = (size, size)
    return window
  }

  @Test func `a loss reduces QUIC's CUBIC window to seven tenths, at least two packets`() {
    var cubic = QuicCubic()
    #expect(cubic.threshold(after: window(100)) == 71)
    // The minimum is two packets.
    #expect(cubic.threshold(after: window(2)) == 2)
  }

  /// RFC 9438, section 4.2: K is the cube root of the reduction divided by C.
  @Test func `QUIC's CUBIC window regains its size after a loss at time K of the cubic curve`() {
    var cubic = QuicCubic()
    var window = window(1_000)
    window.size = cubic.threshold(after: window)
    window.threshold = window.size
    var times: [Int: Int64] = [:]
    for tick in 0..<3_000 as Range<Int64> {
      // With so few acknowledgements Reno is slower than CUBIC.
      cubic.grow(&window, by: 100, tick: tick)
      times[window.size, default: tick] = times[window.size] ?? tick
    }
    let back = times.filter { $0.key >= 999 }.values.min() ?? 0
    // (300 / 0.4)^(1/3) = 9.09 s, less the 1.7 s in which the last two packets are missing.
    #expect((1_840...1_850).contains(back))
  }

  @Test(arguments: [(true, 0), (false, 50)])
  func `QUIC's CUBIC window does not grow for a time without data`(isIdle: Bool, growth: Int) {
    var cubic = QuicCubic()
    var window = window(1_000)
    window.size = cubic.threshold(after: window)
    window.threshold = window.size
    cubic.grow(&window, by: 1, tick: 0)
    let size = window.size
    if isIdle { cubic.resume(Restart(now: 0, tick: 3_000, idleTicks: 3_000, isLimited: true)) }
    // Otherwise the window would have regained its size after 9 s; 100 packets add at most half as many.
    cubic.grow(&window, by: 100, tick: 3_000)
    #expect(window.size == size + growth)
  }

  @Test func `QUIC's CUBIC window grows like Reno's where Reno grows faster`() {
    var cubic = QuicCubic()
    var window = window(10)
    window.size = cubic.threshold(after: window)
    window.threshold = window.size
    // At round trips of 4 ms the cubic curve hardly rises. Reno grows by 0.53 packets for each acknowledged window.
    for tick in 0..<40 as Range<Int64> { cubic.grow(&window, by: window.size, tick: tick) }
    #expect((26...32).contains(window.size))
  }

  @Test func `a second loss before full recovery lowers the window's next target`() {
    var cubic = QuicCubic()
    var first = window(100)
    first.size = cubic.threshold(after: first)
    _ = cubic.threshold(after: first)
    // The new target is 0.85 of 71 packets; the window of 50 grows towards it.
    var second = window(50)
    for tick in 0..<1_200 as Range<Int64> { cubic.grow(&second, by: 1, tick: tick) }
    // (10.3 / 0.4)^(1/3) = 2.95 s to 60.3 packets, and then 0.4 * 1.85^3 more. Without the factor 0.85: 71 packets.
    #expect((58...65).contains(second.size))
  }
}
