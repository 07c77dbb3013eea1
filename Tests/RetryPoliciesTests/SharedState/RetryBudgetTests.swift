import RetryPolicies
import Testing

extension RetryPoliciesTests {
  /// The cases of tower's `tps_budget.rs` and Finagle's `RetryBudgetTest`, with explicit times.
  struct RetryBudgetTests {
    private func milliseconds(_ count: Int) -> Duration { .milliseconds(count) }

    @Test func `an empty retry budget refuses retries, and a reserve allows retries up to its size`() {
      #expect(!RetryBudget(window: .seconds(1), minimumPerSecond: 0, share: 1).withdraw(at: .zero))
      let reserve = RetryBudget(window: .seconds(1), minimumPerSecond: 5, share: 1)
      #expect((0..<6).map { _ in reserve.withdraw(at: .zero) } == [true, true, true, true, true, false])
      let free = RetryBudget(window: .seconds(10), minimumPerSecond: 1, share: 0)
      free.deposit(at: .zero)
      #expect((0..<11).count { _ in free.withdraw(at: .zero) } == 10)
    }

    @Test func `the free retries of a budget count for its whole window, and not only for whole seconds`() {
      #expect(RetryBudget(window: .milliseconds(1_500), minimumPerSecond: 10, share: 1).balance(at: .zero) == 15)
      #expect(RetryBudget(window: .milliseconds(1_900), minimumPerSecond: 1, share: 0).balance(at: .zero) == 1)
    }

    @Test func `a deposit in a retry budget expires after the window`() {
      let budget = RetryBudget(window: .seconds(1), minimumPerSecond: 0, share: 1)
      budget.deposit(at: .zero)
      #expect(!budget.withdraw(at: .seconds(3)))
    }

    @Test func `deposits in a retry budget expire slot by slot`() {
      let budget = RetryBudget(window: .seconds(1), minimumPerSecond: 0, share: 0.5)
      budget.deposit(at: .zero)
      budget.deposit(at: .zero)
      #expect(budget.withdraw(at: milliseconds(901)))
      budget.deposit(at: milliseconds(2_902))
      budget.deposit(at: milliseconds(3_203))
      budget.deposit(at: milliseconds(4_004))
      #expect(budget.withdraw(at: milliseconds(4_004)))
      #expect(!budget.withdraw(at: milliseconds(4_004)))
    }

    @Test(arguments: [(0.1, 1_000), (0.2, 2_000), (1, 10_000), (2, 20_000)])
    func `a retry budget allows exactly its share of the requests as retries`(share: Double, retries: Int) {
      let budget = RetryBudget(window: .seconds(60), minimumPerSecond: 0, share: share)
      var paid = 0
      for _ in 0..<10_000 {
        budget.deposit(at: .zero)
        while budget.withdraw(at: .zero) { paid += 1 }
      }
      #expect(paid == retries)
    }

    @Test func `a default budget allows a hundred retries in ten seconds and a fifth of the requests`() {
      let budget = RetryBudget()
      #expect(budget.balance(at: .zero) == 100)
      for _ in 0..<50 { budget.deposit(at: .seconds(1)) }
      #expect(budget.balance(at: .seconds(1)) == 110)
      #expect(budget.balance(at: .seconds(10)) == 110)
      #expect(budget.balance(at: .seconds(11)) == 100)
    }

    @Test func `spent retries become available again when their slot leaves the window`() {
      let budget = RetryBudget()
      while budget.withdraw(at: .seconds(5)) {}
      #expect(budget.balance(at: .milliseconds(14_999)) == 0)
      #expect(budget.balance(at: .seconds(15)) == 100)
    }
  }
}
