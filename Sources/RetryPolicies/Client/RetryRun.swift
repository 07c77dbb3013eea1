import Internals
import URLLoading

/// Executes a request: carries out the actions of a ``RetryMachine``.
///
/// In virtual time the work runs in child tasks of the caller's task, and ends before the call does. By the continuous clock
/// a time limit or a cancellation ends the call even if a loader ignores its own cancellation. Then the attempt keeps
/// running, and its result is dropped.
struct RetryRun {
  private enum Event: Sendable {
    case woke(Duration)
    case networkReturned
    case ended(AttemptPlan, URLRequest, Result<(Data, URLResponse), any Error>)
  }

  let send: @Sendable (URLRequest) async throws -> (Data, URLResponse)
  let request: URLRequest
  /// The server's name as the policy sees it; `nil` takes the host of the request's URL.
  var host: String?
  let policy: any RetryPolicy
  let clock: RetryClock
  let random: RetryRandom
  /// The number of bytes that each attempt sends; `nil` takes the size of the request's own body.
  var requestBytes: Int?
  let observe: (@Sendable (AttemptRecord) -> Void)?

  func run() async throws -> (Data, URLResponse) {
    guard !Task.isCancelled else { throw URLError(.cancelled) }
    if clock.timer != nil {
      var tasks = IndependentTasks<Event>()
      return try await carryOut(with: &tasks).get()
    }
    return try await withTaskGroup(of: Event.self) { group in await carryOut(with: &group) }.get()
  }

  private typealias Answer = Result<(Data, URLResponse), any Error>

  /// The state of a request that is being executed.
  private struct Execution {
    var machine: RetryMachine
    /// Cancels each attempt that is under way.
    var cancellations: [Int: @Sendable () -> Void] = [:]
    var latest: (number: Int, result: Answer)?
    /// When the earliest timer fires.
    var alarm: Duration?
  }

  private enum Step {
    case wait
    /// Make this attempt without a child task, since no timer and no other attempt is pending.
    case load(AttemptPlan)
    case end(Answer)
  }

  private func carryOut(with tasks: inout some RetryTasks<Event>) async -> Answer {
    let facts = RetryRequest(request, host: host, start: clock.now)
    var execution = Execution(machine: RetryMachine(facts, policy: policy, random: random))
    var actions = execution.machine.begin()
    while true {
      let event: Event?
      switch take(actions, &execution, &tasks) {
      case .end(let result):
        tasks.cancelAll()
        return result
      case .load(let plan): event = await load(plan, of: execution.machine.request)
      case .wait: event = await tasks.next()
      }
      if case .woke(let time) = event, time == execution.alarm { execution.alarm = nil }
      guard let event, !Task.isCancelled else {
        actions = execution.machine.cancel(at: clock.now)
        continue
      }
      actions = handle(event, &execution)
    }
  }

  private func take(
    _ actions: [RetryMachine.Action], _ execution: inout Execution, _ tasks: inout some RetryTasks<Event>
  ) -> Step {
    let isAlone =
      execution.machine.nextWake == nil && execution.machine.request.underWay.count == 1
      && execution.cancellations.isEmpty
    var step = Step.wait
    for action in actions {
      switch action {
      case .start(let plan) where isAlone:
        execution.cancellations[plan.number] = {}
        step = .load(plan)
      case .start(let plan):
        let past = execution.machine.request
        // Only a timeout cancels one attempt while others continue.
        execution.cancellations[plan.number] = tasks.start(isCancellable: policy.rules.perTryTimeout != nil) {
          await load(plan, of: past)
        }
      case .hold(let hold):
        _ = tasks.start(isCancellable: false) {
          await hold()
          return .networkReturned
        }
      case .cancel(let number): execution.cancellations.removeValue(forKey: number)?()
      case .report(let attempt, let next): report(attempt, next, latest: execution.latest)
      case .finish(let ending): return .end(result(of: ending, execution.latest))
      }
    }
    if let time = execution.machine.nextWake, execution.alarm.map({ time < $0 }) ?? true {
      execution.alarm = time
      tasks.wake(at: time, by: clock, .woke(time))
    }
    return step
  }

  private func handle(_ event: Event, _ execution: inout Execution) -> [RetryMachine.Action] {
    switch event {
    case .woke: return execution.machine.wake(at: clock.now)
    case .networkReturned: return execution.machine.networkReturned(at: clock.now)
    case .ended(let plan, let sent, let result):
      let outcome = outcome(of: result)
      var isTransient = false
      // The result of an abandoned attempt is ignored.
      if execution.cancellations.removeValue(forKey: plan.number) != nil {
        execution.latest = (plan.number, result)
        if case .response(let head) = outcome, case .success((let body, _)) = result {
          let answer = AttemptAnswer(plan: plan, request: sent, response: head, body: body)
          isTransient = policy.isTransient(answer, of: execution.machine.request)
        }
      }
      return execution.machine.attemptEnded(
        plan.number, outcome: outcome, isTransient: isTransient, at: clock.now, date: clock.today)
    }
  }

  private func result(of ending: RetryMachine.Ending, _ latest: (number: Int, result: Answer)?) -> Answer {
    if case .failure(let error) = ending { return .failure(error) }
    guard case .attempt(let number) = ending, let latest, latest.number == number else {
      preconditionFailure("a request ends with its latest attempt")
    }
    return latest.result
  }

  private func load(_ plan: AttemptPlan, of past: RetryRequest) async -> Event {
    var sent = request
    do {
      sent = try await policy.prepare(request, for: plan, of: past)
      return .ended(plan, sent, .success(try await send(sent)))
    } catch {
      return .ended(plan, sent, .failure(error))
    }
  }

  private func outcome(of result: Answer) -> AttemptOutcome {
    switch result {
    case .success((_, let response)): .response(ResponseFacts(response))
    case .failure(let error): .failure(error)
    }
  }

  private func report(_ attempt: RetryAttempt, _ next: AttemptRecord.Next, latest: (number: Int, result: Answer)?) {
    guard let observe else { return }
    var received = 0
    if let latest, latest.number == attempt.number, case .success((let data, _)) = latest.result {
      received = data.count
    }
    let sent = requestBytes ?? request.httpBody?.count ?? 0
    observe(AttemptRecord(attempt: attempt, next: next, requestBytes: sent, responseBytes: received))
  }
}
