import Foundation

/// The state machine of one request: takes events with their times and returns the actions to perform.
///
/// It performs nothing itself. Its driver starts and cancels attempts, calls `wake(at:)` at ``nextWake``, and
/// stops at ``Action/finish(_:)``. All times share one origin and never go back.
package struct RetryMachine: Sendable {
  package enum Action: Sendable {
    case start(AttemptPlan)
    /// Cancel an attempt that exceeded its timeout; ignore its later result.
    case cancel(attempt: Int)
    /// Await the closure, then call ``RetryMachine/networkReturned(at:)``.
    case hold(@Sendable () async -> Void)
    /// Report an ended attempt to the observer.
    case report(RetryAttempt, AttemptRecord.Next)
    /// Cancel the attempts under way and give this to the caller.
    case finish(Ending)
  }

  package enum Ending: Sendable {
    /// The result of the attempt with this number.
    case attempt(Int)
    /// An error that did not come from an attempt.
    case failure(any Error)
  }

  private struct Running {
    let plan: AttemptPlan
    let timeout: Duration?
  }

  package private(set) var request: RetryRequest
  private let policy: any RetryPolicy
  private let rules: RetryRules
  private let random: RetryRandom
  private let deadline: Duration?
  private var running: [Running] = [] {
    didSet { request.underWay = running.map(\.plan) }
  }
  private var started = 0
  private var lastStart: Duration = .zero
  private var pending: AttemptPlan?
  /// A retry whose wait begins when the network is back.
  private var held: AttemptPlan?
  private var hedgeTime: Duration?
  private var latest: Ending = .failure(RetryError.refused)
  private(set) var isFinished = false

  package init(_ request: RetryRequest, policy: any RetryPolicy, random: RetryRandom) {
    self.request = request
    self.policy = policy
    self.random = random
    rules = policy.rules
    deadline = rules.deadline.map { request.start + $0.bounded }
  }

  /// When to call `wake(at:)`; `nil` if no time is due.
  package var nextWake: Duration? {
    guard !isFinished else { return nil }
    var earliest = running.lazy.compactMap(\.timeout).min()
    for time in [pending?.start, hedgeTime, deadline] {
      if let time, earliest.map({ time < $0 }) ?? true { earliest = time }
    }
    return earliest
  }

  // MARK: What happens

  package mutating func begin() -> [Action] {
    var actions: [Action] = []
    start(AttemptPlan(number: 1, kind: .original, start: request.start), &actions)
    return actions
  }

  /// Handles an attempt's end, unless it was cancelled: `date`, the client's wall clock, measures `Retry-After`.
  package mutating func attemptEnded(
    _ number: Int, outcome: AttemptOutcome, isTransient: Bool = false, at now: Duration, date: @autoclosure () -> Date
  ) -> [Action] {
    var actions: [Action] = []
    var retryAfter: Duration?
    if case .response(let head) = outcome { retryAfter = RetryAfter.delay(head, now: date()) }
    end(number, outcome: outcome, isTransient: isTransient, at: now, retryAfter: retryAfter, &actions)
    startWhatIsDue(at: now, &actions)
    return actions
  }

  /// Handles the return of the network: the held retry begins its wait.
  package mutating func networkReturned(at now: Duration) -> [Action] {
    var actions: [Action] = []
    guard !isFinished, let plan = held else { return actions }
    held = nil
    wait(for: plan.delayed(by: now - (plan.start - plan.delay)), at: now, &actions)
    startWhatIsDue(at: now, &actions)
    return actions
  }

  /// Handles the passing of time: deadline, timeouts, and attempts that are due.
  package mutating func wake(at now: Duration) -> [Action] {
    var actions: [Action] = []
    guard !isFinished else { return actions }
    if let deadline, now >= deadline {
      finish(
        .failure(URLError(.timedOut)), at: now, why: .deadline, outcome: .failure(URLError(.timedOut)), &actions)
      return actions
    }
    for attempt in running where attempt.timeout.map({ $0 <= now }) == true {
      actions.append(.cancel(attempt: attempt.plan.number))
      latest = .failure(URLError(.timedOut))
      end(attempt.plan.number, outcome: .failure(URLError(.timedOut)), at: now, timedOut: true, &actions)
    }
    startWhatIsDue(at: now, &actions)
    return actions
  }

  package mutating func cancel(at now: Duration) -> [Action] {
    var actions: [Action] = []
    guard !isFinished else { return actions }
    finish(.failure(URLError(.cancelled)), at: now, why: .cancelled, outcome: .abandoned, &actions)
    return actions
  }

  // MARK: Steps

  private var mayStartAnother: Bool { started < rules.maximumAttempts ?? .max }

  private mutating func start(_ plan: AttemptPlan, _ actions: inout [Action]) {
    let wait = policy.wait(before: plan, of: request).bounded
    guard wait <= .zero else {
      return self.wait(for: plan.delayed(by: wait), at: plan.start, &actions)
    }
    guard policy.admits(plan, of: request) else {
      if running.isEmpty { finish(latest, at: plan.start, why: .refused, outcome: .abandoned, &actions) }
      return
    }
    started = plan.number
    lastStart = plan.start
    running.append(Running(plan: plan, timeout: rules.perTryTimeout.map { plan.start + $0.bounded }))
    actions.append(.start(plan))
    // The first attempt may already have reached the server, so a hedge must be safe to repeat.
    let mayBeCopied = mayStartAnother && rules.allowsRepeating(request)
    hedgeTime = mayBeCopied ? policy.hedgeDelay(after: plan, of: request).map { plan.start + $0.bounded } : nil
  }

  /// Waits for an attempt's start; if the deadline comes first, the request ends at once.
  private mutating func wait(for plan: AttemptPlan, at now: Duration, _ actions: inout [Action]) {
    guard let deadline, deadline <= plan.start else { return pending = plan }
    let ending = request.attempts.isEmpty ? .failure(URLError(.timedOut)) : latest
    if running.isEmpty { finish(ending, at: now, why: .deadline, outcome: .abandoned, &actions) }
  }

  private mutating func startWhatIsDue(at now: Duration, _ actions: inout [Action]) {
    if !isFinished, let plan = pending, plan.start <= now {
      pending = nil
      start(plan.delayed(by: now - plan.start), &actions)
    }
    while !isFinished, pending == nil, let time = hedgeTime, time <= now {
      hedgeTime = nil
      let plan = AttemptPlan(number: started + 1, kind: .hedge, start: now, delay: now - lastStart)
      if mayStartAnother, policy.grants(plan, of: request) { start(plan, &actions) }
    }
  }

  private mutating func end(
    _ number: Int, outcome: AttemptOutcome, isTransient: Bool = false, at now: Duration, retryAfter: Duration? = nil,
    timedOut: Bool = false, _ actions: inout [Action]
  ) {
    guard !isFinished, let index = running.firstIndex(where: { $0.plan.number == number }) else { return }
    let attempt = RetryAttempt(
      plan: running.remove(at: index).plan, end: now, outcome: outcome,
      outcomeClass: isTransient ? .transientFailure : rules.outcomeClass(of: outcome), retryAfter: retryAfter)
    if !timedOut { latest = .attempt(number) }
    request.attempts.append(attempt)
    policy.didFinish(attempt, of: request)
    let next = next(after: attempt, &actions)
    actions.append(.report(attempt, next))
    guard case .done(let reason) = next else { return }
    finish(latest, at: now, why: reason == .success ? .overtaken : reason, outcome: .abandoned, &actions)
  }

  /// Returns what follows an attempt, and plans a retry if one follows.
  private mutating func next(after attempt: RetryAttempt, _ actions: inout [Action]) -> AttemptRecord.Next {
    switch attempt.outcomeClass {
    case .success: return .done(.success)
    case .permanentFailure, .abandoned: return .done(.permanentFailure)
    case .transientFailure: break
    }
    guard rules.allowsRepeating(request, after: attempt.outcome) else { return settle(.notRepeatable) }
    guard pending == nil, held == nil else { return .waits }
    guard mayStartAnother else { return settle(.attemptsExhausted) }
    var random = random.keyed(by: UInt64(attempt.number))
    let backoff: Duration
    switch policy.decision(after: attempt, of: request, random: &random) {
    case .retry(let time): backoff = time.bounded
    case .wait where !running.isEmpty: return .waits
    case .wait, .stop: return settle(.policy)
    }
    guard let delay = rules.delay(backoff: backoff, retryAfter: attempt.retryAfter, random: &random)?.bounded else {
      return settle(.retryAfterTooLong)
    }
    let plan = AttemptPlan(
      number: started + 1, kind: .retry, start: attempt.end + delay, backoff: backoff, delay: delay)
    if let deadline, plan.start >= deadline { return settle(.deadline) }
    guard policy.grants(plan, of: request) else { return settle(.denied) }
    hedgeTime = nil
    if let hold = policy.hold(after: attempt, of: request) {
      held = plan
      actions.append(.hold(hold))
      return .retryWithNetwork(after: delay)
    }
    pending = plan
    return .retry(after: delay)
  }

  /// Plans no further attempt: the request ends, or waits for the attempts under way.
  private mutating func settle(_ reason: AttemptRecord.Reason) -> AttemptRecord.Next {
    hedgeTime = nil
    return running.isEmpty ? .done(reason) : .waits
  }

  private mutating func finish(
    _ ending: Ending, at now: Duration, why: AttemptRecord.Reason, outcome: AttemptOutcome, _ actions: inout [Action]
  ) {
    isFinished = true
    let left = running
    running = []
    for attempt in left {
      let ended = RetryAttempt(
        plan: attempt.plan, end: now, outcome: outcome, outcomeClass: rules.outcomeClass(of: outcome))
      request.attempts.append(ended)
      policy.didFinish(ended, of: request)
      actions.append(.report(ended, .done(why)))
    }
    actions.append(.finish(ending))
  }
}
