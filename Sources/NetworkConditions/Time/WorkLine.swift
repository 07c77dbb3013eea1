/// The jobs and calls that wait for a simulation's thread, in the order in which they were added.
// Unchecked: `current` and `place` are touched by the simulation's thread alone.
final class WorkLine: @unchecked Sendable {
  enum Work {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
  }

  private let added: ConditionLock<(work: [Work], isOver: Bool)> = ConditionLock(([], false))
  /// The batch last taken from the queue, and the index of its next work.
  private var current: [Work] = []
  private var place = 0

  var isOpen: Bool { added.withLock { !$0.isOver } }

  /// Adds work and wakes a waiting thread; returns `false` if the queue is closed.
  func append(_ work: Work) -> Bool {
    added.withLock(signalling: true) { added in
      if !added.isOver { added.work.append(work) }
      return !added.isOver
    }
  }

  func wake() { added.withLock(signalling: true) { _ in } }

  /// Waits until work is added or ``wake()`` is called, at most `seconds` of real time.
  func wait(for seconds: Double) { added.wait(for: seconds) { !$0.work.isEmpty } }

  /// Closes the queue and returns the work not taken; `nil` if it was closed before.
  func close() -> [Work]? {
    added.withLock(signalling: true) { added in
      defer { added = ([], true) }
      return added.isOver ? nil : added.work
    }
  }

  // MARK: On the simulation's thread

  /// Whether the queue has work that was added after the last batch was taken.
  var hasNews: Bool { added.withLock { !$0.work.isEmpty } }

  func next() -> Work? {
    if place == current.count {
      current.removeAll(keepingCapacity: true)
      place = 0
      added.withLock { swap(&$0.work, &current) }
      if current.isEmpty { return nil }
    }
    defer { place += 1 }
    return current[place]
  }

  /// Removes and returns the rest of the current batch: the work that has not run.
  func takeCurrent() -> ArraySlice<Work> {
    defer { (current, place) = ([], 0) }
    return current[place...]
  }

  var firstJob: UnownedJob? {
    (current[place...] + added.withLock { $0.work }).lazy.compactMap { work in
      if case .job(let job) = work { job } else { nil }
    }.first
  }
}
