/// The jobs and calls that wait for a simulation's thread, in the order in which any thread added them.
// Unchecked: `current` and `place` are touched by the simulation's thread alone.
final class WorkLine: @unchecked Sendable {
  enum Work {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
  }

  private let added: ConditionLock<(work: [Work], isOver: Bool)> = ConditionLock(([], false))
  /// What was taken from the line at once, and how far it has been run.
  private var current: [Work] = []
  private var place = 0

  var isOpen: Bool { added.withLock { !$0.isOver } }

  /// Adds work, and wakes who waits; returns `false` once the line is closed.
  func append(_ work: Work) -> Bool {
    added.withLock(signalling: true) { added in
      if !added.isOver { added.work.append(work) }
      return !added.isOver
    }
  }

  func wake() { added.withLock(signalling: true) { _ in } }

  /// Waits until work is added or it is woken, at most so many real seconds.
  func wait(for seconds: Double) { added.wait(for: seconds) { !$0.work.isEmpty } }

  /// Closes the line, and returns the work that was not taken; `nil` where it was closed before.
  func close() -> [Work]? {
    added.withLock(signalling: true) { added in
      defer { added = ([], true) }
      return added.isOver ? nil : added.work
    }
  }

  // MARK: On the simulation's thread

  /// Whether work was added since it last took some.
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

  /// Takes what was taken from the line and has not run.
  func takeCurrent() -> ArraySlice<Work> {
    defer { (current, place) = ([], 0) }
    return current[place...]
  }

  /// The job that runs next, if there is one.
  var firstJob: UnownedJob? {
    (current[place...] + added.withLock { $0.work }).lazy.compactMap { work in
      if case .job(let job) = work { job } else { nil }
    }.first
  }
}
