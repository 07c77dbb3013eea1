import Testing

@testable import NetworkConditions

struct RunLimitsTests {
  @Test func `a run may make as many requests as its limit, and its end clears the excess`() {
    let budget = RequestBudget(limit: 3)
    #expect((0..<5).map { _ in budget.admitsRequest { 0 } } == [true, true, true, false, false])
    #expect(budget.made == 5)
    #expect(budget.exceeded == 3)
    budget.liftLimit()
    #expect(budget.exceeded == nil)
  }

  @Test func `a run that exceeded its request limit still counts as exceeded after its end`() {
    let budget = RequestBudget(limit: 1)
    let seen = (0..<3).map { number in
      if number == 2 { budget.liftLimit() } else { _ = budget.admitsRequest { 0 } }
      return budget.wasExceeded
    }
    #expect(seen == [false, true, true])
    // Without an excess there is nothing to forgive.
    let other = RequestBudget(limit: 1)
    other.liftLimit()
    #expect(!other.wasExceeded && other.admitsRequest { 0 } && !other.admitsRequest { 0 } && other.exceeded == 1)
  }

  @Test func `many requests at one instant end a run only if one failing request is half of them`() {
    for (failures, isEndless) in [(3_999, false), (4_000, true)] {
      let budget = RequestBudget(limit: 20_000)
      for _ in 0..<7_999 { #expect(budget.admitsRequest { 8_000 }) }
      #expect(budget.admitsRequest { failures } == !isEndless)
      #expect(budget.exceeded == (isEndless ? 8_000 : nil))
    }
  }

  @Test func `the count of requests restarts at each instant`() {
    let budget = RequestBudget(limit: 20_000)
    for _ in 0..<7_999 { _ = budget.admitsRequest { 8_000 } }
    budget.beginInstant()
    for _ in 0..<7_999 { #expect(budget.admitsRequest { 8_000 }) }
    #expect(!budget.admitsRequest { 8_000 })
  }

  @Test func `the tasks that a run leaves behind may do up to 100,000 jobs, fewer after a short run`() {
    let stragglers = Stragglers()
    #expect(stragglers.limit(afterJobs: 10) == 1_040)
    #expect((0..<2_000).count { _ in stragglers.admitsOne() } == 1_039)
    #expect(stragglers.limit(afterJobs: 1_000_000) == 100_000)
  }

  @Test func `jobs are counted for each instant, and leftover tasks get only part of the limit`() {
    var jobs = JobCount()
    jobs.add(3)
    jobs.beginInstant()
    jobs.add(2)
    #expect(jobs.atInstant == 2 && jobs.total == 5)
    jobs.leave(4, of: 10)
    #expect(jobs.atInstant == 6)
    jobs.leave(40, of: 10)
    #expect(jobs.atInstant == 0)
  }

  @Test func `the length of a standstill is measured from the last progress`() {
    var standstill = Standstill()
    let lengths = [(1, 100), (1, 150), (2, 160), (2, 170)].map { standstill.length(progress: $0, at: $1) }
    #expect(lengths == [.zero, .nanoseconds(50), .zero, .nanoseconds(10)])
  }
}
