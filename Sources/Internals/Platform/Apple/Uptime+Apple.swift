#if canImport(Darwin)
  package import Dispatch

  extension DispatchTime {
    /// Real time in nanoseconds since the system started, for the package's own use.
    package static var uptime: UInt64 { now().uptimeNanoseconds }
  }
#endif
