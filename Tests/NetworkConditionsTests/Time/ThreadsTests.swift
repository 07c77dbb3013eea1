import Testing

@testable import NetworkConditions

struct ThreadsTests {
  @Test func `each of eight tasks stays on one thread through twenty successive simulations`() async throws {
    let threads = try await withThrowingTaskGroup(of: Set<UInt>.self) { group in
      for seed in 0..<UInt64(8) {
        group.addTask(executorPreference: DriverThreads.executor) {
          var threads: Set<UInt> = []
          for _ in 0..<20 {
            threads.insert(CurrentThread.number)
            threads.insert(try await Simulation("unlimited", seed: seed) { _ in CurrentThread.number }.value)
          }
          return threads
        }
      }
      return try await group.reduce(into: []) { $0.append($1.count) }
    }
    #expect(threads == Array(repeating: 1, count: 8))
  }
}
