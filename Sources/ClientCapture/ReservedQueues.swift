#if os(Linux)
  package import Foundation
  import Internals

  /// The queues of URL sessions whose work one simulation runs until its end, without the queues' own locks.
  ///
  /// No other thread may run the queues' work meanwhile, since two threads would change the same memory.
  final class ReservedQueues: Sendable {
    private struct State {
      var queues: [DispatchQueue] = []
      var endings: [@Sendable () -> Void] = []
      var isOver = false
    }
    private let state = Mutex(State())
    /// The labels of the queues that any simulation has reserved.
    private static let labels = Mutex<Set<String>>([])

    static func contains(_ label: String) -> Bool { labels.withLock { $0.contains(label) } }

    /// Reserves a queue, once, after its pending work, until `atEnd`; returns `false` after the simulation's end.
    func reserve(_ queue: DispatchQueue, _ atEnd: @escaping @Sendable () -> Void) -> Bool {
      let (isOver, isReserved) = state.withLock { state in (state.isOver, state.queues.contains { $0 === queue }) }
      if isOver || isReserved { return isReserved }
      RealTime.run { queue.sync { queue.suspend() } }
      Self.labels.withLock { _ = $0.insert(queue.label) }
      let isLate = state.withLock { state in
        state.queues.append(queue)
        state.endings.append(atEnd)
        return state.isOver
      }
      if isLate { giveBack() }
      return !isLate
    }

    /// - Returns: `false` if the simulation is over, and `ending` is not called.
    func atEnd(_ ending: @escaping @Sendable () -> Void) -> Bool {
      state.withLock { state in
        if !state.isOver { state.endings.append(ending) }
        return !state.isOver
      }
    }

    func resume() {
      let queues = state.withLock { state in
        defer { state.queues = [] }
        return state.queues
      }
      Self.labels.withLock { $0.subtract(queues.map(\.label)) }
      RealTime.run { for queue in queues { queue.resume() } }
    }

    /// Gives the queues back to other users, because the simulation is over.
    func giveBack() {
      let endings = state.withLock { state in
        state.isOver = true
        defer { state.endings = [] }
        return state.endings
      }
      resume()
      for end in endings { end() }
    }
  }

  extension ClientScheduler {
    /// Takes a session's queue for this simulation until `atEnd` is called; `false` if the simulation is over.
    package func reserve(_ queue: DispatchQueue, _ atEnd: @escaping @Sendable () -> Void) -> Bool {
      guard reserved.reserve(queue, atEnd) else { return false }
      markOurs(queue)
      return true
    }

    /// Calls a function when this simulation has ended or its client was stopped; `false` if that has happened.
    package func atItsEnd(_ ending: @escaping @Sendable () -> Void) -> Bool { reserved.atEnd(ending) }

    /// Lets threads outside of the simulation run the work of reserved queues, while the simulation ends.
    package func resumeSessions() { reserved.resume() }

    /// Notes that only this simulation uses a URL session, so that its queue needs no lock.
    package func own(_ session: AnyObject, _ queue: () -> DispatchQueue?) {
      guard ownSessions.insert(ObjectIdentifier(session)).inserted else { return }
      queue().map(markOurs)
    }

    private func markOurs(_ session: DispatchQueue) {
      let label = session.label
      ownLabels.insert(label)
      for queue in queues.values where queue.sessionLabel == label { queue.isOurs = true }
    }
  }
#endif
