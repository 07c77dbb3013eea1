#if !canImport(Darwin)
  package import Dispatch

  extension DispatchTime {
    /// Real time for the package's own use, in nanoseconds since the system started.
    ///
    /// Where a simulation watches what a client asks of real time, it sees `uptimeNanoseconds`, whoever's code asks for it.
    /// Here the raw value is in nanoseconds, too.
    package static var uptime: UInt64 { now().rawValue }
  }
#endif
