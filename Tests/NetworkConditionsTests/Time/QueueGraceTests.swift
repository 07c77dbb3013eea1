import Testing

@testable import NetworkConditions

@Suite struct QueueGraceTests {
  @Test func `a grace ends a minute after it was first found over, even while the queues get no thread`() {
    var grace = QueueGrace(from: 5, for: .seconds(1))
    // Looked at so late, the process may have stood still meanwhile, as in a debugger.
    let isOver = [1_000_000_004, 500_000_000_000, 560_000_000_000].map { grace.isOver(at: $0) }
    #expect(isOver == [false, false, true])
  }
}
