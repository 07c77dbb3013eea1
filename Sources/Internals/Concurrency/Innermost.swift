#if DEBUG && canImport(Glibc)
  import Glibc

  /// Marks code that must not take a lock, since other threads wait for it.
  ///
  /// Debug builds on Linux trap when such code takes a lock, so all tests check this.
  @usableFromInline
  package enum Innermost {
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      precondition(pthread_key_create(&key, nil) == 0, "no key is left for a value of each thread")
      return key
    }()

    package static func begin() {
      pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    }

    package static func end() {
      pthread_setspecific(key, nil)
    }

    @usableFromInline
    package static func check() {
      precondition(pthread_getspecific(key) == nil, "a lock is taken under one that must be the innermost")
    }
  }
#else
  /// Marks code that must not take a lock; only debug builds on Linux check it.
  @usableFromInline
  package enum Innermost {
    @inlinable
    package static func begin() {}

    @inlinable
    package static func end() {}

    /// Does nothing here; in debug builds on Linux it traps if this thread must not take a lock.
    @inlinable
    package static func check() {}
  }
#endif
