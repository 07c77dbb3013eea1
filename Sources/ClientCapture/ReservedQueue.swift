#if os(Linux)
  package import Foundation
  import Internals

  /// A queue of the whole process whose work one simulation does until its end, without the queue's own lock.
  ///
  /// No other thread may run work of the queue meanwhile: two threads would change the same memory.
  package final class ReservedQueue: Sendable {
    private struct Reservation {
      let queue: DispatchQueue
      let atEnd: @Sendable () -> Void
    }
    private let reservation = Mutex<Reservation?>(nil)

    /// Keeps others from the queue, once what they began in it and in `operations` is done; the first call counts.
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
