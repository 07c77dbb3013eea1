import Testing

@testable import NetworkConditions

struct QueueGraceTests {
  @Test func `queues without threads extend a time limit by at most a minute from the first late check`() {
    var grace = QueueGrace(from: 5, for: .seconds(1))
    // The first check is so late that the process may have been stopped meanwhile, as in a debugger.
    let isOver = [1_000_000_004, 500_000_000_000, 560_000_000_000].map { grace.isOver(at: $0) }
    #expect(isOver == [false, false, true])
  }
}
