public import Foundation

/// A reply that passes all calls on to another; a conforming type implements only those it observes or changes.
///
/// Every head, piece of body and end arrives through ``TransportReply/head(_:)``,
/// ``TransportReply/body(_:encodedCount:)``, ``TransportReply/finish()`` or ``TransportReply/fail(_:)``, however the
/// transport gave it.
public protocol WrappingReply: TransportReply {
  /// The reply that gets all calls.
  var wrapped: any TransportReply { get }
}

extension WrappingReply {
  /// Passes the head on to the wrapped reply.
  public func head(_ head: ResponseHead) { wrapped.head(head) }
  /// Passes the piece on to the wrapped reply.
  public func body(_ data: Data, encodedCount: Int64?) { wrapped.body(data, encodedCount: encodedCount) }
  /// Passes the end on to the wrapped reply.
  public func finish() { wrapped.finish() }
  /// Passes the error on to the wrapped reply.
  public func fail(_ error: URLError) { wrapped.fail(error) }
  /// Passes the call on to the wrapped reply.
  public func together(_ work: () -> Void) { wrapped.together(work) }
  /// Passes the call on to the wrapped reply.
  public func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) { wrapped.after(delay, work) }
  /// Passes the call on to the wrapped reply.
  public func whenRoom(_ work: @escaping @Sendable () -> Void) { wrapped.whenRoom(work) }
  /// Passes the call on to the wrapped reply.
  public func park() { wrapped.park() }
  /// Passes the call on to the wrapped reply.
  public func waitOutside() { wrapped.waitOutside() }
  /// The wrapped reply's executor.
  public var executor: (any TaskExecutor)? { wrapped.executor }
  /// Passes the call on to the wrapped reply.
  public func onCancel(_ work: @escaping @Sendable () -> Void) { wrapped.onCancel(work) }
}
