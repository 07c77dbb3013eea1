// On Linux the slow path of the standard library's `Mutex` is not instrumented, so ThreadSanitizer takes every contended
// lock for a race. Under `swift test --sanitize=thread -Xswiftc -DTHREAD_SANITIZER` this one stands in its place, by its
// name, in each module that has this file.
#if THREAD_SANITIZER
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A lock that ThreadSanitizer understands, in the shape of the standard library's.
  ///
  /// Unchecked, since all access to the value goes through the lock.
  struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ initialValue: consuming sending Value) {
      lock.initialize(to: pthread_mutex_t())
      pthread_mutex_init(lock, nil)
      value.initialize(to: initialValue)
    }

    deinit {
      pthread_mutex_destroy(lock)
      lock.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }
  }
#endif
