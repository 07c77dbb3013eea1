#if canImport(Glibc) || canImport(Musl)
  import Foundation
  public import Synchronization

  /// The standard library's lock, told to the thread sanitizer.
  ///
  /// On Linux the slow path of `Synchronization.Mutex` lies in a library that is not instrumented, so that the sanitizer
  /// takes every contended lock for a race. Where a process runs under it, each lock says here what it does; elsewhere
  /// that costs one comparison.
  @frozen
  @usableFromInline
  package struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline
    let lock: Synchronization.Mutex<Value>

    @inlinable
    package init(_ initialValue: consuming sending Value) {
      lock = Synchronization.Mutex(initialValue)
    }

    /// Runs `body` while no other holds the lock.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      Innermost.check()
      guard let sanitizer = ThreadSanitizer.current else { return try lock.withLock(body) }
      // The lock's own place, which does not change: to take the value's would already be an access to it.
      let place = withUnsafePointer(to: lock) { UnsafeMutableRawPointer(mutating: $0) }
      return try lock.withLock { value throws(Failure) in
        sanitizer.acquire(place)
        defer { sanitizer.release(place) }
        return try body(&value)
      }
    }
  }

  /// The thread sanitizer's own words for "this was locked" and "this will be unlocked".
  @usableFromInline
  package struct ThreadSanitizer: Sendable {
    @usableFromInline
    typealias Call = @convention(c) (UnsafeMutableRawPointer) -> Void

    @usableFromInline
    let acquire: Call
    @usableFromInline
    let release: Call

    /// The sanitizer of this process; `nil` where there is none.
    @usableFromInline
    package static let current: ThreadSanitizer? = {
      guard let acquire = dlsym(nil, "__tsan_acquire"), let release = dlsym(nil, "__tsan_release") else { return nil }
      return ThreadSanitizer(
        acquire: unsafeBitCast(acquire, to: Call.self), release: unsafeBitCast(release, to: Call.self))
    }()
  }
#else
  // Elsewhere the standard library's lock is one that the sanitizer sees.
  @_exported public import Synchronization
#endif

/// A value behind a lock that several hold.
package final class Locked<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  /// A copy of the value; to set it, take ``withLock(_:)``.
  package var value: Value { mutex.withLock { $0 } }

  package func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try mutex.withLock { try body(&$0) }
  }
}
