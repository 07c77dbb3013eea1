/// A weak reference that is `Sendable`; from Swift 6.3 on, `weak let` replaces it.
// Unchecked: the object is set once, before the reference is shared, and the runtime clears it atomically.
package final class WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
  /// The object; `nil` after its release.
  package private(set) weak var object: Object?

  package init(_ object: Object?) {
    self.object = object
  }
}
