/// A weak reference that may be sent and shared: `weak let` needs Swift 6.3.
// Unchecked: the object is set once, before anyone else sees the reference, and the runtime lets go of it atomically.
package final class WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
  /// The object; `nil` once it is released.
  package private(set) weak var object: Object?

  package init(_ object: Object?) {
    self.object = object
  }
}
