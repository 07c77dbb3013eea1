#if canImport(Darwin)
  package import Dispatch

  extension DispatchTime {
    /// Real time for the package's own use, in nanoseconds since the system started.
    package static var uptime: UInt64 { now().uptimeNanoseconds }
  }
#endif
