#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation

  /// A delegate queue of a session that blocks its producer when it is full.
  ///
  /// On Linux a session puts each piece it receives into its delegate queue and reads on, without bound: with busy cores,
  /// 512 MB took 300 MB of memory. Here at most `limit` pieces, of 16 KiB each, wait. A full queue blocks the one that
  /// all sessions share, so no work in it may wait for that one; and so that none can wait for ever, it blocks that one
  /// for no longer than `patience` at a time.
  ///
  /// Unchecked like its superclass, which is safe to use from any thread; it adds constants only.
  final class BoundedDelegateQueue: OperationQueue, @unchecked Sendable {
    private static let limit = 128
    private static let patience = DispatchTimeInterval.milliseconds(100)

    private let queue = DispatchQueue(label: "URLSessionTransport.delegate")
    private let room: DispatchSemaphore = {
      // Not created with its value: one that ends below the value it began with is fatal.
      let room = DispatchSemaphore(value: 0)
      for _ in 0..<limit { room.signal() }
      return room
    }()

    /// Called by Foundation, mostly on the session's work queue, where all other sessions are kept waiting.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      let hasRoom = room.wait(timeout: .now() + Self.patience) == .success
      queue.async { [room] in
        block()
        if hasRoom { room.signal() }
      }
    }

    /// Runs something in order with the session's calls, without blocking.
    func run(_ block: @escaping @Sendable () -> Void) {
      queue.async(execute: block)
    }
  }
#endif
