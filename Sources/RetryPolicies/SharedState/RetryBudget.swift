import Internals

/// A budget for the retries of a client: a share of its requests of the last seconds, and a few more each second.
///
/// As in Finagle and in tower: each request deposits, each retry withdraws, both are forgotten after the window, and a
/// reserve lets a client with few requests retry at all. The window has ten slots that begin at whole tenths of it, so
/// that the same times give the same answers whoever asked first.
///
/// One instance is shared by all requests of a client.
public final class RetryBudget: Sendable {
  private static let slotCount: Int64 = 10
  /// The deposit of a request, so that shares of down to a thousandth stay whole numbers; the scale of Finagle.
  private static let deposit: Int64 = 1000

  private struct State {
    var slots = [Int64](repeating: 0, count: Int(RetryBudget.slotCount))
    var newest: Int64 = 0
    /// The place of a slot, by its number since the origin of time.
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
  ///   - window: after how long deposits and withdrawals are forgotten; from 1 s to 60 s.
  ///   - minimumPerSecond: how many retries per second are free.
  ///   - share: how many retries a request pays for, from 0.001 to 1000; 0 is none.
  public init(window: Duration = .seconds(10), minimumPerSecond: Int = 10, share: Double = 0.2) {
    precondition(window >= .seconds(1) && window <= .seconds(60), "the window is from 1 s to 60 s")
    precondition((0...1_000_000).contains(minimumPerSecond), "free retries are from none to a million per second")
    precondition(share == 0 || (0.001...1000).contains(share), "the share is 0, or from 0.001 to 1000")
    slot = window.wholeNanoseconds / Self.slotCount
    price = share == 0 ? 0 : Int64((Double(Self.deposit) / share).rounded())
    // With no share a retry costs one unit of the reserve, and requests deposit nothing.
    reserve = window.components.seconds * Int64(minimumPerSecond) * max(1, price)
  }

  /// Google's budget of a client ("Site Reliability Engineering", chapter 21): retries are at most 10 % of the requests.
  public static func siteReliabilityEngineering() -> RetryBudget {
    RetryBudget(window: .seconds(10), minimumPerSecond: 0, share: 0.1)
  }

  /// Counts a request.
  public func deposit(at time: Duration) {
    guard price > 0 else { return }
    state.withLock { state in
      forget(&state, at: time)
      state.slots[State.place(state.newest)] += Self.deposit
    }
  }

  /// Pays for a retry, or says that there is nothing left.
  public func withdraw(at time: Duration) -> Bool {
    state.withLock { state in
      forget(&state, at: time)
      guard state.slots.reduce(reserve, +) >= max(1, price) else { return false }
      state.slots[State.place(state.newest)] -= max(1, price)
      return true
    }
  }

  /// How many retries could be paid for.
  public func balance(at time: Duration) -> Int {
    state.withLock { state in
      forget(&state, at: time)
      return Int(clamping: max(0, state.slots.reduce(reserve, +) / max(1, price)))
    }
  }

  /// Empties the slots that have left the window; a time before the newest is taken for the newest.
  private func forget(_ state: inout State, at time: Duration) {
    let now = max(0, time.wholeNanoseconds) / slot
    guard now > state.newest else { return }
    for index in (state.newest + 1)...min(now, state.newest + Self.slotCount) {
      state.slots[State.place(index)] = 0
    }
    state.newest = now
  }
}

/// A policy whose retries and hedges are paid for from a budget.
public struct BudgetedPolicy: WrappingPolicy {
  /// The policy that decides otherwise.
  public let base: any RetryPolicy
  /// The budget to spend, shared with other requests.
  public let budget: RetryBudget

  /// Whether the policy grants it and the budget can pay; asked last, so that nothing is paid for that is not made.
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
  /// This policy, as long as a budget can pay for its retries.
  public func budgeted(by budget: RetryBudget) -> BudgetedPolicy {
    BudgetedPolicy(base: self, budget: budget)
  }
}
