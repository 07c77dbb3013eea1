import Internals
import URLLoading

/// Executes a request: carries out the actions of a ``RetryMachine`` in child tasks of the caller's task.
///
/// Usually no work outlives the call. One exception: with the continuous clock a time limit holds even if a loader ignores
/// its cancellation. Then the attempt keeps running, and its result is dropped.
struct RetryRun {
  private enum Event: Sendable {
    case woke(Duration)
    case networkReturned
    case ended(AttemptPlan, URLRequest, Result<(Data, URLResponse), any Error>)
  }

  let send: @Sendable (URLRequest) async throws -> (Data, URLResponse)
  let request: URLRequest
  /// The server's name for the policy; that of the request's URL where `nil`.
  var host: String?
  let policy: any RetryPolicy
  let clock: RetryClock
  let random: RetryRandom
  /// The bytes that each attempt sends; the size of the request's own body where `nil`.
  var requestBytes: Int?
  let observe: (@Sendable (AttemptRecord) -> Void)?

  func run() async throws -> (Data, URLResponse) {
    guard !Task.isCancelled else { throw URLError(.cancelled) }
    guard clock.isContinuous, policy.rules.deadline != nil || policy.rules.perTryTimeout != nil else {
      return try await carryOut().get()
    }
    let work = Locked<Task<Void, Never>?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let task = Task {
          _ = await carryOut { continuation.resume(with: $0) }
        }
        work.withLock { $0 = task }
        if Task.isCancelled { task.cancel() }
      }
    } onCancel: {
      work.value?.cancel()
    }
  }

  private typealias Answer = Result<(Data, URLResponse), any Error>

  /// The state of a request that is being executed.
  private struct Course {
    var machine: RetryMachine
    /// Cancels each attempt that is under way.
    var signals: [Int: CancellationSignal] = [:]
    var latest: (number: Int, result: Answer)?
    /// When the earliest timer fires.
    var alarm: Duration?
  }

  private enum Step {
    case wait
    /// This attempt needs no child task, since no timer and no other attempt is pending.
    case load(AttemptPlan)
    case end(Answer)
  }

  /// - Parameter settled: receives the result at once, without waiting for abandoned attempts to end.
  private func carryOut(settled: ((Answer) -> Void)? = nil) async -> Answer {
    await withTaskGroup(of: Event.self) { group in
      let facts = RetryRequest(request, host: host, start: clock.now)
      var course = Course(machine: RetryMachine(facts, policy: policy, random: random))
      var actions = course.machine.begin()
      while true {
        let event: Event
        switch take(actions, &course, in: &group) {
        case .end(let result):
          group.cancelAll()
          settled?(result)
          return result
        case .load(let plan): event = await load(plan, of: course.machine.request)
        case .wait:
          guard let next = await group.next() else { preconditionFailure("a request waits for something") }
          event = next
        }
        if case .woke(let time) = event, time == course.alarm { course.alarm = nil }
        actions = Task.isCancelled ? course.machine.cancel(at: clock.now) : handle(event, &course)
      }
    }
  }

  private func take(
    _ actions: [RetryMachine.Action], _ course: inout Course, in group: inout TaskGroup<Event>
  ) -> Step {
    let isAlone =
      course.machine.nextWake == nil && course.machine.request.underWay.count == 1 && course.signals.isEmpty
    var step = Step.wait
    for action in actions {
      switch action {
      case .start(let plan) where isAlone:
        course.signals[plan.number] = CancellationSignal()
        step = .load(plan)
      case .start(let plan): course.signals[plan.number] = start(plan, of: course.machine.request, in: &group)
      case .hold(let hold):
        group.addTask {
          await hold()
          return .networkReturned
        }
      case .cancel(let number): course.signals.removeValue(forKey: number)?.raise()
      case .report(let attempt, let next): report(attempt, next, latest: course.latest)
      case .finish(let ending): return .end(result(of: ending, course.latest))
      }
    }
    if let time = course.machine.nextWake, course.alarm.map({ time < $0 }) ?? true {
      course.alarm = time
      group.addTask { [clock] in
        try? await clock.sleep(until: time)
        return .woke(time)
      }
    }
    return step
  }

  private func handle(_ event: Event, _ course: inout Course) -> [RetryMachine.Action] {
    switch event {
    case .woke: return course.machine.wake(at: clock.now)
    case .networkReturned: return course.machine.networkReturned(at: clock.now)
    case .ended(let plan, let sent, let result):
      let outcome = outcome(of: result)
      var isTransient = false
      // The result of an abandoned attempt is ignored.
      if course.signals.removeValue(forKey: plan.number) != nil {
        course.latest = (plan.number, result)
        if case .response(let head) = outcome, case .success((let body, _)) = result {
          let answer = AttemptAnswer(plan: plan, request: sent, response: head, body: body)
          isTransient = policy.isTransient(answer, of: course.machine.request)
        }
      }
      return course.machine.attemptEnded(
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

  private func start(
    _ plan: AttemptPlan, of past: RetryRequest, in group: inout TaskGroup<Event>
  ) -> CancellationSignal {
    let signal = CancellationSignal()
    // Only a timeout cancels one attempt while others continue; otherwise cancelling the group is enough.
    let mayTimeOut = policy.rules.perTryTimeout != nil
    group.addTask { mayTimeOut ? await signal.run { await load(plan, of: past) } : await load(plan, of: past) }
    return signal
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
