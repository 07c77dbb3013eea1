// The compiler of Swift 6.2 does not let a closure pass on a `sending` parameter.
#if (canImport(Glibc) || canImport(Musl)) && compiler(>=6.3)
  public import Synchronization

  /// The standard library's mutex, made visible to the thread sanitizer.
  ///
  /// On Linux the slow path of `Synchronization.Mutex` is in a library without instrumentation. So the sanitizer
  /// reports every contended lock as a race. Under the sanitizer each lock reports its operations here; otherwise this
  /// costs one comparison.
  @frozen
  @usableFromInline
  package struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline
    let lock: Synchronization.Mutex<Value>

    @inlinable
    package init(_ initialValue: consuming sending Value) {
      lock = Synchronization.Mutex(initialValue)
    }

    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      Innermost.check()
      guard let sanitizer = ThreadSanitizer.current else { return try lock.withLock(body) }
      // The address of the lock itself, which never moves; taking the value's address would be an access to it.
      let place = withUnsafePointer(to: lock) { UnsafeMutableRawPointer(mutating: $0) }
      return try lock.withLock { value throws(Failure) in
        sanitizer.acquire(place)
        defer { sanitizer.release(place) }
        return try body(&value)
      }
    }
  }
#else
  // On Apple platforms the sanitizer recognizes the standard library's mutex. On Linux with Swift 6.2 it does not.
  @_exported public import Synchronization
#endif

#if canImport(Glibc) || canImport(Musl)
  import Foundation

  /// The thread sanitizer's functions that report a lock's acquisition and release.
  @usableFromInline
  package struct ThreadSanitizer: Sendable {
    @usableFromInline
    typealias Call = @convention(c) (UnsafeMutableRawPointer) -> Void

    @usableFromInline
    let acquire: Call
    @usableFromInline
    let release: Call

    /// The sanitizer of this process; `nil` when there is none.
    @usableFromInline
    package static let current: ThreadSanitizer? = {
      guard let acquire = dlsym(nil, "__tsan_acquire"), let release = dlsym(nil, "__tsan_release") else { return nil }
      return ThreadSanitizer(
        acquire: unsafeBitCast(acquire, to: Call.self), release: unsafeBitCast(release, to: Call.self))
    }()
  }
#endif

/// A lock with its value, as an object that can be shared.
package final class Locked<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  /// A copy of the value; to change it, use ``withLock(_:)``.
  package var value: Value { mutex.withLock { $0 } }

  package func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try mutex.withLock { try body(&$0) }
  }
}
