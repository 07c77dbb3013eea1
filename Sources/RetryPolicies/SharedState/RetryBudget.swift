import Internals

/// A budget for the retries of a client: a share of its recent requests, plus a fixed number per second.
///
/// As in Finagle and tower, each request deposits and each retry withdraws. Both are forgotten after the window. A reserve
/// lets a client with few requests retry at all. The window has ten slots aligned to tenths of it, so the same times always
/// give the same answers.
///
/// All requests of a client share one instance.
public final class RetryBudget: Sendable {
  private static let slotCount: Int64 = 10
  /// The units that a request deposits; 1000, as in Finagle, keeps shares down to a thousandth whole.
  private static let deposit: Int64 = 1000

  private struct State {
    var slots = [Int64](repeating: 0, count: Int(RetryBudget.slotCount))
    var newest: Int64 = 0
    /// The index in `slots` of a slot number, which counts from the origin of time.
    static func place(_ slot: Int64) -> Int { Int(slot % RetryBudget.slotCount) }
  }
  private let slot: Int64
  private let price: Int64
  private let reserve: Int64
  private let state = Mutex(State())

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
    slot = window.wholeNanoseconds / Self.slotCount
    price = share == 0 ? 0 : Int64((Double(Self.deposit) / share).rounded())
    // If the share is 0, a retry costs one unit of the reserve, and requests deposit nothing.
    reserve = window.components.seconds * Int64(minimumPerSecond) * max(1, price)
  }

  /// Google's per-client budget ("Site Reliability Engineering", chapter 21): retries are at most 10 % of the requests.
  public static func siteReliabilityEngineering() -> RetryBudget {
    RetryBudget(window: .seconds(10), minimumPerSecond: 0, share: 0.1)
  }

  /// Counts a request, which pays for a share of a retry.
  public func deposit(at time: Duration) {
    guard price > 0 else { return }
    state.withLock { state in
      forget(&state, at: time)
      state.slots[State.place(state.newest)] += Self.deposit
    }
  }

  /// Pays for a retry and returns true, or returns false if the budget is spent.
  public func withdraw(at time: Duration) -> Bool {
    state.withLock { state in
      forget(&state, at: time)
      guard state.slots.reduce(reserve, +) >= max(1, price) else { return false }
      state.slots[State.place(state.newest)] -= max(1, price)
      return true
    }
  }

  /// Returns how many retries the budget could pay for now.
  public func balance(at time: Duration) -> Int {
    state.withLock { state in
      forget(&state, at: time)
      return Int(clamping: max(0, state.slots.reduce(reserve, +) / max(1, price)))
    }
  }

  /// Clears the slots that have left the window; a time before the newest slot changes nothing.
  private func forget(_ state: inout State, at time: Duration) {
    let now = max(0, time.wholeNanoseconds) / slot
    guard now > state.newest else { return }
    for index in (state.newest + 1)...min(now, state.newest + Self.slotCount) {
      state.slots[State.place(index)] = 0
    }
    state.newest = now
  }
}

/// A policy whose retries and hedges a budget pays for.
public struct BudgetedPolicy: WrappingPolicy {
  /// The policy that makes all other decisions.
  public let base: any RetryPolicy
  /// The budget, shared with other requests.
  public let budget: RetryBudget

  /// Returns whether the wrapped policy grants the attempt and the budget pays; only granted attempts are paid for.
  public func grants(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    base.grants(plan, of: request) && budget.withdraw(at: plan.decided)
  }

  /// Counts the request when its first attempt starts.
  public func admits(_ plan: AttemptPlan, of request: RetryRequest) -> Bool {
    guard base.admits(plan, of: request) else { return false }
    if plan.kind == .original { budget.deposit(at: plan.start) }
    return true
  }
}

extension RetryPolicy {
  /// This policy, which retries and hedges only while a budget can pay.
  public func budgeted(by budget: RetryBudget) -> BudgetedPolicy {
    BudgetedPolicy(base: self, budget: budget)
  }
}
