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
    }
    private let state = Mutex(State())

    /// Reserves a queue after its pending work has ended; later calls have no effect.
    ///
    /// - Parameter atEnd: called when others may use the queue again.
    func reserve(_ queue: DispatchQueue, _ atEnd: @escaping @Sendable () -> Void) {
      if state.withLock({ state in state.queues.contains { $0 === queue } }) { return }
      RealTime.run { queue.sync { queue.suspend() } }
      state.withLock { state in
        state.queues.append(queue)
        state.endings.append(atEnd)
      }
    }

    /// Lets threads outside of the simulation run the queues' work again.
    func resume() {
      let queues = state.withLock { state in
        defer { state.queues = [] }
        return state.queues
      }
      RealTime.run { for queue in queues { queue.resume() } }
    }

    /// Lets others use the queues again.
    func giveBack() {
      resume()
      let endings = state.withLock { state in
        defer { state.endings = [] }
        return state.endings
      }
      for end in endings { end() }
    }
  }

  extension ClientScheduler {
    /// Takes a URL session's queue for this simulation alone, until it ends.
    ///
    /// - Parameter atEnd: called when others may use the queue again.
    package func reserve(_ queue: DispatchQueue, _ atEnd: @escaping @Sendable () -> Void) {
      reserved.reserve(queue, atEnd)
      markOurs(queue)
    }

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
