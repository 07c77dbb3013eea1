import Dispatch
import Internals
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

  @Test func `a clock whose speed changes goes on from the time that it shows`() {
    // At this speed a microsecond is a quarter of an hour.
    var clock = ProxyClock(factor: 1e9)
    let before = clock.time(at: DispatchTime.uptime)
    clock.setFactor(1)
    let after = clock.time(at: DispatchTime.uptime)
    #expect(before > .zero && after >= before && clock.uptime(at: before) <= DispatchTime.uptime)
  }
}
