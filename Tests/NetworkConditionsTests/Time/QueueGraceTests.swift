import Testing

@testable import NetworkConditions

struct QueueGraceTests {
  @Test func `queues without threads extend a time limit by at most a minute from the first late check`() {
    var grace = QueueGrace(from: 5, for: .seconds(1))
    // The first check is so late that the process may have been stopped meanwhile, as in a debugger.
    let isOver = [1_000_000_004, 500_000_000_000, 560_000_000_000].map { grace.isOver(at: $0) }
    #expect(isOver == [false, false, true])
  }

  @Test func `after a time limit, the queues are checked ten times as often`() {
    var grace = QueueGrace(from: 0, for: .milliseconds(20))
    #expect(grace.pause == 0.02)
    let isOver = grace.isOver(at: 20_000_000)
    #expect(!isOver)
    #expect(grace.pause == 0.002)
  }

  @Test func `a thread that computes gets most of a time limit as processor time`() {
    var grace = WorkGrace()
    let extends = [0, 0.19, 0.4, 0.59, 0.8, 4, 7.99, 8].map { seconds in
      grace.spent = .seconds(seconds)
      return grace.extends(.seconds(10))
    }
    #expect(extends == [false, false, true, false, true, true, true, false])
  }
}
