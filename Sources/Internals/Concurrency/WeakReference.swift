/// A weak reference that may be sent: `weak let` needs Swift 6.3.
package struct WeakReference<Object: AnyObject & Sendable>: Sendable {
  /// The object, as long as somebody else holds it.
  package private(set) weak var object: Object?

  package init(_ object: Object?) {
    self.object = object
  }
}
