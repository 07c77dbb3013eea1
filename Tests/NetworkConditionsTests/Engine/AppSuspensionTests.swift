import Testing

@testable import NetworkConditions

@Suite struct AppSuspensionTests {
  private static func exchanges(_ work: [EngineState.TimedWork]) -> [Int] {
    work.compactMap { if case .timeouts(let id) = $0 { id } else { nil } }
  }

  @Test func `a suspended app's own work waits in its order, and everything else is done`() {
    var suspension = AppSuspension()
    #expect(!suspension.holds(.timeouts(1)))
    suspension.begin()
    #expect(suspension.holds(.timeouts(3)))
    #expect(suspension.holds(.timeouts(2)))
    #expect(!suspension.holds(.depart(4)))
    #expect(!suspension.holds(.resumeApp))
    #expect(Self.exchanges(suspension.end()) == [3, 2])
    #expect(!suspension.isActive)
    #expect(!suspension.holds(.timeouts(5)))
    #expect(suspension.end().isEmpty)
  }

  @Test func `only the sleeps of clients are forgotten when these are killed`() {
    var suspension = AppSuspension()
    suspension.begin()
    #expect(suspension.holds(.timeouts(1)))
    for isClients in [true, false, true] {
      let sleeper = Sleeper()
      sleeper.isClients = isClients
      #expect(suspension.holds(.wake(sleeper)))
    }
    #expect(suspension.forgetClientsSleeps() == 2)
    #expect(suspension.forgetClientsSleeps() == 0)
    #expect(suspension.end().count == 2)
  }
}
