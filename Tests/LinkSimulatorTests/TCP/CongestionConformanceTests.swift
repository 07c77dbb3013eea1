import Testing

@testable import LinkSimulator

/// Rules for every congestion control; a new one is tested without a change here.
struct CongestionConformanceTests {
  typealias Control = PathConfiguration.CongestionControl

  @Test func `a congestion control is found only by its lower-case name`() {
    #expect(Control.allCases.starts(with: [.cubic, .reno, .bbr]))
    for control in Control.allCases { #expect(Control(rawValue: control.rawValue) == control) }
    for word in ["", "CUBIC", "Reno", "no such control"] { #expect(Control(rawValue: word) == nil) }
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

  private static func path(loss: Probability, outage: Bool = false) -> ConditionSchedule {
    let link = LinkConditions(
      rate: .megabitsPerSecond(8), delay: .milliseconds(20), loss: .independent(loss), queue: 50)
    let conditions = PathConditions(down: link, up: link)
    var out = conditions
    out.outage = .drop
    let phases: [ConditionSchedule.Phase] = [.init(for: .milliseconds(300), conditions: conditions)]
    let rest: [ConditionSchedule.Phase] = outage ? [.init(for: .seconds(2), conditions: out)] : []
    return ConditionSchedule(phases: phases + rest + [.init(conditions: conditions)])!
  }

  private static func transfer(
    _ control: Control, _ method: TransferScenario.Method, over schedule: ConditionSchedule,
    _ version: StreamRequest.HTTPVersion, bytes: Int64, seed: UInt64 = 1
  ) -> TransferScenario.Outcome {
    var scenario = TransferScenario(method, bytes: bytes, over: schedule)
    scenario.configuration.congestionControl = control
    (scenario.version, scenario.isSecure) = (version, version != .http1)
    return scenario.run(seed: seed)
  }

  @Test(arguments: Control.allCases, [StreamRequest.HTTPVersion.http1, .http3])
  func `without loss a transfer uses at least three quarters of the link`(
    control: Control, version: StreamRequest.HTTPVersion
  ) throws {
    let total = try #require(
      Self.transfer(control, .get, over: Self.path(loss: .zero), version, bytes: 2_000_000).total)
    // At 8 Mbit/s the bytes alone take 2 s.
    #expect((.seconds(2)...Duration.milliseconds(2_700)).contains(total), "\(total)")
  }

  @Test(arguments: Control.allCases, [StreamRequest.HTTPVersion.http1, .http3])
  func `a transfer ends despite loss and an outage, and takes the same time for the same seed`(
    control: Control, version: StreamRequest.HTTPVersion
  ) {
    for method in TransferScenario.Method.allCases {
      func outcome(seed: UInt64) -> TransferScenario.Outcome {
        Self.transfer(
          control, method, over: Self.path(loss: .percent(2), outage: true), version, bytes: 400_000, seed: seed)
      }
      let first = outcome(seed: 1)
      // The outage begins after 300 ms and takes 2 s.
      #expect(first.failure == nil && first.total.map { $0 > .milliseconds(2_300) } ?? false, "\(first)")
      #expect(first == outcome(seed: 1) && first != outcome(seed: 2))
    }
  }
}
