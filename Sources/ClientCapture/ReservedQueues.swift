#if os(Linux)
  package import Foundation
  import Internals

  /// The queues of URL sessions whose work one simulation runs until its end, without the queues' own locks.
  ///
  /// No other thread may run the queues' work meanwhile, since two threads would change the same memory.
  final class ReservedQueues: Sendable {
    private struct Reservation {
      let queue: DispatchQueue
      let atEnd: @Sendable () -> Void
    }
    private let reservations = Mutex<[Reservation]>([])

    /// Reserves a queue after its pending work has ended; later calls have no effect.
    ///
    /// - Parameter atEnd: called when others may use the queue again.
    func reserve(_ queue: DispatchQueue, _ atEnd: @escaping @Sendable () -> Void) {
      if reservations.withLock({ all in all.contains { $0.queue === queue } }) { return }
      RealTime.run { queue.sync { queue.suspend() } }
      reservations.withLock { $0.append(Reservation(queue: queue, atEnd: atEnd)) }
    }

    /// Lets others use the queues again.
    func giveBack() {
      let all = reservations.withLock { all in
        defer { all = [] }
        return all
      }
      RealTime.run { for reservation in all { reservation.queue.resume() } }
      for reservation in all { reservation.atEnd() }
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
