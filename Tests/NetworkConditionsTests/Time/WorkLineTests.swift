import Internals
import Testing

@testable import NetworkConditions

struct WorkLineTests {
  @Test func `a work queue closes once and accepts no work afterwards`() {
    let line = WorkLine()
    #expect(line.append(.call {}) && line.isOpen)
    #expect(line.close()?.count == 1)
    #expect(line.close() == nil && !line.isOpen)
    #expect(!line.append(.call {}))
  }

  @Test func `work left at a simulation's end runs in the order in which it was added`() throws {
    let driver = SimulationDriver(
      options: NetworkOptions(), capture: .nothing, seed: 0, sessions: SimulatedSessions(),
      crashReport: CrashReporter(.unlimited, seed: 0))
    let order = Locked<[Int]>([])
    for number in 0..<3 { driver.submit { order.withLock { $0.append(number) } } }
    guard case .call(let first)? = driver.line.next() else { return #expect(Bool(false)) }
    first()
    driver.submit { order.withLock { $0.append(3) } }
    driver.finish()
    #expect(order.value == [0, 1, 2, 3])
  }
}
