#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation

  /// A session's delegate queue that blocks its producer when it is full.
  ///
  /// On Linux a session adds each received piece to its delegate queue without bound: on a busy machine, 512 MB took
  /// 300 MB of memory. In this queue at most `limit` pieces, of 16 KiB each, wait. A full queue blocks the queue that
  /// all sessions share, so work in it must not wait for that shared queue. To prevent a deadlock, the block lasts for
  /// `patience` at most.
  ///
  /// Unchecked, like its thread-safe superclass; it adds only constants.
  final class BoundedDelegateQueue: OperationQueue, @unchecked Sendable {
    private static let limit = 128
    private static let patience = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "URLSessionTransport.delegate")
    private let room: DispatchSemaphore = {
      // Start at 0 and signal: a semaphore that ends below its first value is fatal.
      let room = DispatchSemaphore(value: 0)
      for _ in 0..<limit { room.signal() }
      return room
    }()

    /// Foundation calls this mostly on the session's work queue, so that a wait here delays all other sessions.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      let hasRoom = room.wait(timeout: .now() + Self.patience) == .success
      queue.async { [room] in
        block()
        if hasRoom { room.signal() }
      }
    }

    /// Runs `block` in order with the session's calls, without blocking the caller.
    func run(_ block: @escaping @Sendable () -> Void) {
      queue.async(execute: block)
    }
  }
#endif
