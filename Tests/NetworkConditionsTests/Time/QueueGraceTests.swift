import Testing

@testable import NetworkConditions

@Suite struct QueueGraceTests {
  @Test func `a time limit for queues is extended by at most a minute when they get no thread`() {
    var grace = QueueGrace(from: 5, for: .seconds(1))
    let isOver = [1_000_000_004, 61_000_000_005].map { grace.isOver(at: $0) }
    #expect(isOver == [false, true])
  }
}
