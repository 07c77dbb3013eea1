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

  /// RFC 9000, section 9.4: a new path has its own round trips.
  @Test func `a QUIC window on a new path forgets the old path's round trips and watches its first round`() {
    func check(_ control: some QuicAlgorithm) {
      var (control, window) = (control, CongestionWindow())
      window.size = 100
      // The second path's round trips are four times as long.
      for least: Int64 in [50, 200] {
        control.begin(now: 0, next: 200)
        window.threshold = .max
        func take(_ first: ClosedRange<Int>, _ delay: Int64) {
          for first in first {
            let sample = RoundTripSample(
              delay: delay * 1_000_000, now: 0, tick: 0, first: first, next: 400, delivered: 0, judgesTrains: false)
            control.measured(sample, &window)
          }
        }
        take(190...200, least)
        #expect(control.slowStart.minimumDelay == least * 1_000_000)
        // The second round begins; its ninth sample shows that round trips have doubled.
        take(201...208, 2 * least)
        #expect(window.threshold == .max)
        take(209...209, 2 * least)
        #expect(window.threshold == 100)
      }
    }
    check(QuicReno())
    check(QuicCubic())
  }
}
