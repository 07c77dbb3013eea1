#if os(Linux)
  import Interposition

  /// Code that runs by the clock on the wall, also on a simulation's thread.
  package enum RealTime {
    /// Runs code by real time: the system answers its calls.
    package static func run<Result>(_ body: () -> Result) -> Result {
      interposition_enter()
      defer { interposition_leave() }
      return body()
    }

    /// Runs code that may go over to real time by ``begin()``, and leaves that at its end.
    package static func scope<Result>(_ body: () -> Result) -> Result {
      let depth = interposition_suspend()
      interposition_restore(depth)
      defer { interposition_restore(depth) }
      return body()
    }

    /// Has the system answer the rest of the present ``scope(_:)``.
    package static func begin() { interposition_enter() }

    /// Leaves every call to the system from now on, for the process is dying; may be called in a signal's handler.
    package static func end() { interposition_end() }
  }
#else
  /// Code that runs by the clock on the wall: all code, where nothing is captured.
  package enum RealTime {
    package static func run<Result>(_ body: () -> Result) -> Result { body() }
    package static func scope<Result>(_ body: () -> Result) -> Result { body() }
    package static func begin() {}
    package static func end() {}
  }
#endif
