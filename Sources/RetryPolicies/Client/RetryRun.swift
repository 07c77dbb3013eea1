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

  /// - Parameter settled: receives the result at once, without waiting for abandoned attempts to end.
  private func carryOut(
    settled: ((Result<(Data, URLResponse), any Error>) -> Void)? = nil
  ) async -> Result<(Data, URLResponse), any Error> {
    await withTaskGroup(of: Event.self) { group in
      var machine = RetryMachine(RetryRequest(request, start: clock.now), policy: policy, random: random)
      var signals: [Int: CancellationSignal] = [:]
      var latest: (number: Int, result: Result<(Data, URLResponse), any Error>)?
      var alarm: Duration?
      var actions = machine.begin()
      while true {
        // An attempt needs no child task while no timer and no other attempt is pending.
        let isAlone = machine.nextWake == nil && machine.request.underWay.count == 1 && signals.isEmpty
        var alone: AttemptPlan?
        for action in actions {
          switch action {
          case .start(let plan) where isAlone:
            signals[plan.number] = CancellationSignal()
            alone = plan
          case .start(let plan): signals[plan.number] = start(plan, of: machine.request, in: &group)
          case .hold(let hold):
            group.addTask {
              await hold()
              return .networkReturned
            }
          case .cancel(let number): signals.removeValue(forKey: number)?.raise()
          case .report(let attempt, let next): report(attempt, next, latest: latest)
          case .finish(let ending):
            group.cancelAll()
            let result = result(of: ending, latest)
            settled?(result)
            return result
          }
        }
        if let time = machine.nextWake, alarm.map({ time < $0 }) ?? true {
          alarm = time
          group.addTask { [clock] in
            try? await clock.sleep(until: time)
            return .woke(time)
          }
        }
        let event: Event
        if let alone {
          event = await load(alone, of: machine.request)
        } else if let next = await group.next() {
          event = next
        } else {
          preconditionFailure("a request waits for something")
        }
        if case .woke(let time) = event, time == alarm { alarm = nil }
        guard !Task.isCancelled else {
          actions = machine.cancel(at: clock.now)
          continue
        }
        switch event {
        case .woke: actions = machine.wake(at: clock.now)
        case .networkReturned: actions = machine.networkReturned(at: clock.now)
        case .ended(let plan, let sent, let result):
          let outcome = outcome(of: result)
          var isTransient = false
          // The result of an abandoned attempt is ignored.
          if signals.removeValue(forKey: plan.number) != nil {
            latest = (plan.number, result)
            if case .response(let head) = outcome, case .success((let body, _)) = result {
              let answer = AttemptAnswer(plan: plan, request: sent, response: head, body: body)
              isTransient = policy.isTransient(answer, of: machine.request)
            }
          }
          actions = machine.attemptEnded(
            plan.number, outcome: outcome, isTransient: isTransient, at: clock.now, date: clock.today)
        }
      }
    }
  }

  private func result(
    of ending: RetryMachine.Ending, _ latest: (number: Int, result: Result<(Data, URLResponse), any Error>)?
  ) -> Result<(Data, URLResponse), any Error> {
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

  private func outcome(of result: Result<(Data, URLResponse), any Error>) -> AttemptOutcome {
    switch result {
    case .success((_, let response)): .response(ResponseFacts(response))
    case .failure(let error): .failure(error)
    }
  }

  private func report(
    _ attempt: RetryAttempt, _ next: AttemptRecord.Next,
    latest: (number: Int, result: Result<(Data, URLResponse), any Error>)?
  ) {
    guard let observe else { return }
    var received = 0
    if let latest, latest.number == attempt.number, case .success((let data, _)) = latest.result {
      received = data.count
    }
    let sent = requestBytes ?? request.httpBody?.count ?? 0
    observe(AttemptRecord(attempt: attempt, next: next, requestBytes: sent, responseBytes: received))
  }
}
