import Testing

@testable import NetworkConditions

struct AppSuspensionTests {
  @Test func `a suspended app's own work waits in order, and all other work runs`() {
    var suspension = AppSuspension()
    let before = suspension.holds(.timeouts(1))
    suspension.begin()
    let during = [.timeouts(3), .depart(4), .timeouts(2), .resumeApp].map { suspension.holds($0) }
    let held = suspension.end().map { if case .timeouts(let id) = $0 { id } else { -1 } }
    let after = suspension.holds(.timeouts(5))
    #expect(!before && !after && !suspension.isActive)
    #expect(during == [true, false, true, false])
    #expect(held == [3, 2])
  }

  @Test func `killing clients removes their sleeps and no other work`() {
    var suspension = AppSuspension()
    suspension.begin()
    _ = suspension.holds(.timeouts(1))
    for isClients in [true, false, true] {
      let sleeper = Sleeper()
      sleeper.isClients = isClients
      _ = suspension.holds(.wake(sleeper))
    }
    let counts = (0..<2).map { _ in suspension.forgetClientsSleeps() }
    #expect(counts == [2, 0])
    let left = suspension.end()
    #expect(left.count == 2)
  }
}
