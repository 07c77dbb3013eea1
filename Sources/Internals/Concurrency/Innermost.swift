#if DEBUG && canImport(Glibc)
  import Glibc

  /// Stretches of code in which no lock is taken, since others wait meanwhile and nothing there may wait for others.
  ///
  /// Debug builds on Linux stop at a lock that is taken all the same: so each test looks for one.
  @usableFromInline
  package enum Innermost {
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      precondition(pthread_key_create(&key, nil) == 0, "no key is left for a value of each thread")
      return key
    }()

    /// Begins such a stretch on this thread.
    package static func begin() {
      pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    }

    /// Ends it.
    package static func end() {
      pthread_setspecific(key, nil)
    }

    /// Stops the program inside of such a stretch.
    @usableFromInline
    package static func check() {
      precondition(pthread_getspecific(key) == nil, "a lock is taken under one that must be the innermost")
    }
  }
#else
  /// Stretches of code in which no lock is taken; looked for in debug builds on Linux.
  @usableFromInline
  package enum Innermost {
    /// Begins such a stretch on this thread.
    @inlinable
    package static func begin() {}

    /// Ends it.
    @inlinable
    package static func end() {}

    /// Stops the program inside of such a stretch.
    @inlinable
    package static func check() {}
  }
#endif
