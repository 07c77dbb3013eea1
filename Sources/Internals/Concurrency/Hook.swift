import Synchronization

/// A function that a module above sets once, and that any thread reads without a lock.
///
/// Linux hands a contended lock from thread to thread in order. A lock that all runs of a process need at each request
/// would so make them wait for each other on a busy machine.
package struct Hook<Value: Sendable>: ~Copyable, Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
  private let box = AtomicLazyReference<Box>()

  package init() {}

  /// Sets the value; only the first call has an effect.
  package func set(_ value: Value) { _ = box.storeIfNil(Box(value)) }

  package var value: Value? { box.load()?.value }
}
