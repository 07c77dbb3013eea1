import Internals

/// The attempts and timers of one request, which run at the same time.
protocol RetryTasks<Event> {
  associatedtype Event: Sendable

  /// Starts work; returns how to cancel it alone.
  ///
  /// - Parameter isCancellable: whether it may be cancelled while other work continues.
  mutating func start(
    isCancellable: Bool, _ work: @escaping @Sendable () async -> Event
  ) -> @Sendable () -> Void

  /// Schedules an event for a time of the clock.
  mutating func wake(at time: Duration, by clock: RetryClock, _ event: Event)

  /// Waits for the next work to end; `nil` if the calling task is cancelled first.
  mutating func next() async -> Event?

  mutating func cancelAll()
}

/// Child tasks, for virtual time: a simulation knows when all of them wait.
extension TaskGroup: RetryTasks {
  typealias Event = ChildTaskResult

  mutating func start(
    isCancellable: Bool, _ work: @escaping @Sendable () async -> Event
  ) -> @Sendable () -> Void {
    guard isCancellable else {
      addTask(operation: work)
      return {}
    }
    let signal = CancellationSignal()
    addTask { await signal.run(work) }
    return signal.raise
  }

  mutating func wake(at time: Duration, by clock: RetryClock, _ event: Event) {
    addTask {
      try? await clock.sleep(until: time)
      return event
    }
  }
}

/// Tasks that may outlive the request, for real time: a time limit holds even if a loader ignores its cancellation.
struct IndependentTasks<Event: Sendable>: RetryTasks {
  private let mailbox = Mailbox<Event>()
  private var cancellations: [@Sendable () -> Void] = []

  mutating func start(
    isCancellable: Bool, _ work: @escaping @Sendable () async -> Event
  ) -> @Sendable () -> Void {
    let task = Task { [mailbox] in mailbox.post(await work()) }
    cancellations.append(task.cancel)
    return task.cancel
  }

  mutating func wake(at time: Duration, by clock: RetryClock, _ event: Event) {
    cancellations.append(clock.call(at: time) { [mailbox] in mailbox.post(event) })
  }

  mutating func next() async -> Event? { await mailbox.next() }

  mutating func cancelAll() {
    for cancel in cancellations { cancel() }
  }
}

/// Hands events to the one task that awaits them; it costs a third of an `AsyncStream`.
private final class Mailbox<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var isCancelled = false
    var reader: CheckedContinuation<Event?, Never>?
  }
  private let state = Mutex(State())

  func post(_ event: Event) {
    let reader = state.withLock { state in
      if state.reader == nil { state.events.append(event) }
      return state.reader.take()
    }
    reader?.resume(returning: event)
  }

  /// Returns the next event; `nil` once the calling task is cancelled.
  func next() async -> Event? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let event: Event?? = state.withLock { state in
          if state.isCancelled { return .some(nil) }
          guard state.events.isEmpty else { return state.events.removeFirst() }
          state.reader = continuation
          return nil
        }
        if let event { continuation.resume(returning: event) }
      }
    } onCancel: {
      let reader = state.withLock { state in
        state.isCancelled = true
        return state.reader.take()
      }
      reader?.resume(returning: nil)
    }
  }
}
