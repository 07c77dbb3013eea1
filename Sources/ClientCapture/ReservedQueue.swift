#if os(Linux)
  package import Foundation
  import Internals

  /// A process-wide queue whose work one simulation runs until its end, without the queue's own lock.
  ///
  /// No other thread may run the queue's work meanwhile, since two threads would change the same memory.
  package final class ReservedQueue: Sendable {
    private struct Reservation {
      let queue: DispatchQueue
      let atEnd: @Sendable () -> Void
    }
    private let reservation = Mutex<Reservation?>(nil)

    /// Reserves the queue after pending work in it and in `operations` has ended; later calls have no effect.
    ///
    /// - Parameter atEnd: called when others may use the queue again.
    package func reserve(
      _ queue: DispatchQueue, after operations: OperationQueue, _ atEnd: @escaping @Sendable () -> Void
    ) {
      if reservation.withLock({ $0 != nil }) { return }
      RealTime.run {
        operations.waitUntilAllOperationsAreFinished()
        queue.sync { queue.suspend() }
      }
      reservation.withLock { $0 = Reservation(queue: queue, atEnd: atEnd) }
    }

    /// Whether this simulation has reserved the queue.
    var isReserved: Bool { reservation.withLock { $0 != nil } }

    /// Lets others use the queue again, if it was reserved.
    func giveBack() {
      let reservation = reservation.withLock { reservation in
        defer { reservation = nil }
        return reservation
      }
      guard let reservation else { return }
      RealTime.run { reservation.queue.resume() }
      reservation.atEnd()
    }
  }
#endif
