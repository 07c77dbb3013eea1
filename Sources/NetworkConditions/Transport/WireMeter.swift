import Foundation
import Internals
import URLLoading

#if canImport(FoundationNetworking)
  /// Counts the bytes of a task's body as they were on the wire, before the system decoded them.
  ///
  /// libcurl counts them: it is asked through the handle that Foundation keeps for the task, on the queue on which alone that
  /// may be used. Where there is none, or Foundation hides it, the count is `nil`. Unchecked, since the handle is used on that
  /// queue only.
  final class WireMeter: @unchecked Sendable {
    private let workQueue: DispatchQueue?
    private let delegateQueue: BoundedDelegateQueue?
    private var handle: TransferHandle?

    init(_ session: URLSession) {
      workQueue = FoundationInternals.workQueue(of: session)
      delegateQueue = session.delegateQueue as? BoundedDelegateQueue
    }

    deinit {
      guard let workQueue, let owner = handle?.owner else { return }
      nonisolated(unsafe) let last = owner
      workQueue.async { withExtendedLifetime(last) {} }
    }

    /// Finds the handle; called right after the task was resumed, since it is gone when the task has ended.
    func attach(to task: URLSessionTask) {
      workQueue?.async { [self] in handle = TransferHandle(of: task) }
    }

    /// Reads the count as it is when all that came before has been handed over, and gives it on the delegate's queue.
    func read(_ result: @escaping @Sendable (Int64?) -> Void) {
      guard let workQueue, let delegateQueue else { return result(nil) }
      workQueue.async { [self] in
        let count = handle?.bodyBytes
        delegateQueue.run { result(count) }
      }
    }
  }
#else
  /// Counts the bytes of a task's body as they were on the wire, before the system decoded them.
  final class WireMeter: Sendable {
    private let task = Mutex<URLSessionTask?>(nil)

    init(_ session: URLSession) {}

    func attach(to task: URLSessionTask) {
      self.task.withLock { $0 = task }
    }

    /// Reads the count, which is documented as that of what the server sent.
    func read(_ result: @escaping @Sendable (Int64?) -> Void) {
      result(task.withLock { $0?.countOfBytesReceived })
    }
  }
#endif

/// The pieces of a decoded body that wait until it is known how many bytes they were on the wire.
struct MeteredBody {
  private var pieces: [Data] = []
  private var counted: Int64 = 0

  /// Keeps a piece, and says whether it is the first that waits.
  mutating func append(_ piece: Data) -> Bool {
    pieces.append(piece)
    return pieces.count == 1
  }

  /// Takes what waits, each piece with its share of the bytes that have come since the last time.
  ///
  /// - Parameter count: how many bytes have come in all; `nil` when that cannot be known.
  mutating func take(_ count: Int64?) -> [(piece: Data, encodedCount: Int64?)] {
    defer { pieces = [] }
    guard let count, count > 0 else { return pieces.map { ($0, nil) } }
    let fresh = max(0, count - counted)
    counted += fresh
    if pieces.isEmpty, fresh > 0 { return [(Data(), fresh)] }
    return Array(zip(pieces, CarriedBody.shares(of: fresh, among: pieces)))
  }
}
