import Dispatch
import LinkSimulator
import Testing

@testable import NetworkProxy

struct ProxyClockTests {
  @Test func `a thousandfold clock that runs for a year stays at the end of simulated time`() {
    let year: UInt64 = 31_536_000_000_000_000
    var clock = ProxyClock(factor: 1_000)
    #expect(clock.time(at: DispatchTime.now().uptimeNanoseconds + year) == .endOfTime)
    clock.setFactor(1)
    #expect(clock.time(at: .max) == .endOfTime)
  }
}
