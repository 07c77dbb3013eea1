public import Foundation

/// A reply that hands everything on to another one; a type of its own writes only what it looks at or changes.
///
/// Every head, piece of body and end comes by ``TransportReply/head(_:)``, ``TransportReply/body(_:encodedCount:)``,
/// ``TransportReply/finish()`` or ``TransportReply/fail(_:)``, however it was given.
public protocol WrappingReply: TransportReply {
  /// The reply to which everything is handed on.
  var wrapped: any TransportReply { get }
}

extension WrappingReply {
  /// Hands it on.
  public func head(_ head: ResponseHead) { wrapped.head(head) }
  /// Hands it on.
  public func body(_ data: Data, encodedCount: Int64?) { wrapped.body(data, encodedCount: encodedCount) }
  /// Hands it on.
  public func finish() { wrapped.finish() }
  /// Hands it on.
  public func fail(_ error: URLError) { wrapped.fail(error) }
  /// Hands it on.
  public func together(_ work: () -> Void) { wrapped.together(work) }
  /// Hands it on.
  public func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) { wrapped.after(delay, work) }
  /// Hands it on.
  public func whenRoom(_ work: @escaping @Sendable () -> Void) { wrapped.whenRoom(work) }
  /// Hands it on.
  public func park() { wrapped.park() }
  /// Hands it on.
  public func waitOutside() { wrapped.waitOutside() }
  /// That of the wrapped reply.
  public var executor: (any TaskExecutor)? { wrapped.executor }
  /// Hands it on.
  public func onCancel(_ work: @escaping @Sendable () -> Void) { wrapped.onCancel(work) }
}
