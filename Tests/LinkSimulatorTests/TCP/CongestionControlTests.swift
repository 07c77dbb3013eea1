import Testing

@testable import LinkSimulator

/// Rules for every congestion control algorithm.
@Suite struct CongestionControlTests {
  typealias Control = PathConfiguration.CongestionControl

  @Test func `a congestion control is found only by its lower-case name`() {
    #expect(Control.allCases.map(\.rawValue) == ["cubic", "reno", "bbr"])
    #expect(Control.allCases.map(\.name) == ["CUBIC", "Reno", "BBR"])
    for control in Control.allCases { #expect(Control(rawValue: control.rawValue) == control) }
    for word in ["", "CUBIC", "Reno", "vegas"] { #expect(Control(rawValue: word) == nil) }
    #expect(Set(Control.allCases).count == Control.allCases.count)
  }

  /// The algorithms that grow on acknowledgements and shrink on losses, as Reno does.
  static let reactive = Control.allCases.filter { !$0.algorithm.setsWindow }

  @Test(arguments: reactive)
  func `slow start doubles the window in each round trip up to the threshold`(control: Control) {
    var (algorithm, window) = (control.algorithm.init(), CongestionWindow())
    algorithm.begin(now: 0, next: 0)
    algorithm.grow(&window, by: 10, tick: 0)
    #expect(window.size == 20)
    window.threshold = 25
    algorithm.grow(&window, by: 5, tick: 0)
    #expect(window.size == 25)
  }

  @Test(arguments: reactive)
  func `a loss reduces the window but keeps at least two segments`(control: Control) {
    var algorithm = control.algorithm.init()
    for size in 3...200 {
      let threshold = algorithm.threshold(after: CongestionWindow(size: size))
      #expect((2..<size).contains(threshold))
    }
    #expect(algorithm.threshold(after: CongestionWindow(size: 1)) == 2)
  }

  @Test(arguments: reactive)
  func `the window never grows beyond its maximum`(control: Control) {
    var (algorithm, window) = (control.algorithm.init(), CongestionWindow(size: CongestionWindow.maximum - 1))
    algorithm.grow(&window, by: 100, tick: 0)
    #expect(window.size == CongestionWindow.maximum)
    window.threshold = window.size
    for tick in 0..<10 { algorithm.grow(&window, by: window.size, tick: Int64(tick) * 250) }
    #expect(window.size == CongestionWindow.maximum)
  }
}
