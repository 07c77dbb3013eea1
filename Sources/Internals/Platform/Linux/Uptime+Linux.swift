#if !canImport(Darwin)
  package import Dispatch

  extension DispatchTime {
    /// Real time in nanoseconds since the system started, for the package's own use.
    ///
    /// A simulation reports every read of `uptimeNanoseconds` as a client's use of real time, so this uses the raw
    /// value. On Linux that is in nanoseconds, too.
    package static var uptime: UInt64 { now().rawValue }
  }
#endif
