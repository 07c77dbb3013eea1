import Foundation
import Testing

@testable import NetworkConditions

struct DeterminismCheckTests {
  @Test(arguments: [false, true])
  func `a client that makes no request differs if it ends at another time`(fails: Bool) async throws {
    let counter = Log<Int>()
    let error = await #expect(throws: SimulationError.self) {
      try await Simulation.verifyDeterminism("3G", seed: 5) { network in
        counter.add(0)
        try await network.clock.sleep(for: .seconds(counter.all.count < 3 ? 1 : 2))
        if fails { throw CocoaError(.fileNoSuchFile) }
      }
    }
    guard case .nondeterministic(5, run: 3, let difference) = error else {
      Issue.record("it threw \(String(describing: error))")
      return
    }
    #expect(difference.contains(" after 1.0") && difference.contains(" after 2.0"), "\(difference)")
  }

  @Test func `a client that throws differs from one that returns, and from one that throws another error`() async {
    for results in [[0, 1], [1, 0], [1, 2]] {
      let counter = Log<Int>()
      await #expect(throws: SimulationError.self, "\(results)") {
        try await Simulation.verifyDeterminism("3G", runs: 2) { _ in
          counter.add(0)
          let result = results[counter.all.count - 1]
          if result > 0 { throw CocoaError(result == 1 ? .fileNoSuchFile : .fileReadNoPermission) }
        }
      }
    }
  }

  @Test func `a determinism check makes three runs unless told otherwise`() async throws {
    for (asked, made) in [(nil, 3), (5, 5), (1, 1), (0, 1)] as [(Int?, Int)] {
      let counter = Log<Int>()
      let body: @Sendable (SimulatedNetwork) async throws -> Void = { _ in counter.add(0) }
      if let asked {
        try await Simulation.verifyDeterminism("3G", runs: asked, body)
      } else {
        try await Simulation.verifyDeterminism("3G", body)
      }
      #expect(counter.all.count == made)
    }
  }
}
