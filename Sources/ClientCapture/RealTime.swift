#if os(Linux)
  import Interposition

  /// Runs code in real time, even on a simulation's thread.
  package enum RealTime {
    package static func run<Result>(_ body: () -> Result) -> Result {
      interposition_enter()
      defer { interposition_leave() }
      return body()
    }

    /// Runs code that may switch to real time by ``begin()``, and switches back at its end.
    package static func scope<Result>(_ body: () -> Result) -> Result {
      let depth = interposition_suspend()
      interposition_restore(depth)
      defer { interposition_restore(depth) }
      return body()
    }

    /// Switches the rest of the current ``scope(_:)`` to real time.
    package static func begin() { interposition_enter() }

    /// Passes all calls to the system from now on, since the process is dying; safe in a signal handler.
    package static func end() { interposition_end() }
  }
#else
  /// Runs code in real time, like all code on platforms without capture.
  package enum RealTime {
    package static func run<Result>(_ body: () -> Result) -> Result { body() }
    package static func scope<Result>(_ body: () -> Result) -> Result { body() }
    package static func begin() {}
    package static func end() {}
  }
#endif
