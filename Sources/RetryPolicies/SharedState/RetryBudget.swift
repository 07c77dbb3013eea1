import Internals

/// A budget for the retries of a client: a share of its recent requests, plus a fixed number per second.
///
/// As in Finagle and tower, each request deposits and each retry withdraws. Both are forgotten after the window. A reserve
/// lets a client with few requests retry at all.
///
/// All requests of a client share one instance.
public final class RetryBudget: Sendable {
  /// The units that a request deposits; 1000, as in Finagle, keeps shares down to a thousandth whole.
  private static let deposit: Int64 = 1000

  private let price: Int64
  private let reserve: Int64
  private let window: Mutex<SlidingWindow<Int64>>

  /// Creates a budget with a full reserve.
  ///
  /// The defaults are those of Finagle and tower: a window of 10 s, 10 retries per second, and 20 % of the requests.
  ///
  /// - Parameters:
  ///   - window: how long deposits and withdrawals count; from 1 s to 60 s.
  ///   - minimumPerSecond: how many retries per second are free.
  ///   - share: how many retries a request pays for, from 0.001 to 1000; 0 means none.
  public init(window: Duration = .seconds(10), minimumPerSecond: Int = 10, share: Double = 0.2) {
    precondition(window >= .seconds(1) && window <= .seconds(60), "the window is from 1 s to 60 s")
    precondition((0...1_000_000).contains(minimumPerSecond), "free retries are from 0 to a million per second")
    precondition(share == 0 || (0.001...1000).contains(share), "the share is 0, or from 0.001 to 1000")
    self.window = Mutex(SlidingWindow(window, empty: 0))
    price = share == 0 ? 0 : Int64((Double(Self.deposit) / share).rounded())
    // If the share is 0, a retry costs one unit of the reserve, and requests deposit nothing.
    reserve = Int64(Double(minimumPerSecond) * (window / .seconds(1))) * max(1, price)
  }

  /// Counts a request, which pays for a share of a retry.
  public func deposit(at time: Duration) {
    guard price > 0 else { return }
    window.withLock { window in
      window.advance(to: time)
      window.latest += Self.deposit
    }
  }

  /// Pays for a retry and returns true, or returns false if the budget is spent.
  public func withdraw(at time: Duration) -> Bool {
    window.withLock { window in
      window.advance(to: time)
      guard window.slots.reduce(reserve, +) >= max(1, price) else { return false }
      window.latest -= max(1, price)
      return true
    }
  }

  /// Returns how many retries the budget could pay for now.
  public func balance(at time: Duration) -> Int {
    window.withLock { window in
      window.advance(to: time)
      return Int(clamping: max(0, window.slots.reduce(reserve, +) / max(1, price)))
    }
  }
}

/// A policy whose retries and hedges a budget pays for.
struct BudgetedPolicy: WrappingPolicy {
  let base: any RetryPolicy
  let budget: RetryBudget

  func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    base.grants(plan, of: request) && budget.withdraw(at: plan.decided)
  }

  func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    guard base.admits(plan, of: request) else { return false }
    if plan.kind == .original { budget.deposit(at: plan.start) }
    return true
  }
}

extension RetryPolicy {
  /// This policy, which retries and hedges only while a budget can pay.
  public func budgeted(by budget: RetryBudget) -> some WrappingPolicy {
    BudgetedPolicy(base: self, budget: budget)
  }
}
