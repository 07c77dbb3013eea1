import Foundation

/// Constants and calls for sockets that differ between systems.
package enum SystemSocket {
  /// Raises the process's limit of open descriptors to the most that the system allows; returns the new limit.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    // macOS refuses more than OPEN_MAX (10,240) or `kern.maxfilesperproc`, even below the hard limit.
    for wanted: rlim_t in [1 << 20, 10_240] {
      guard getrlimit(descriptors, &limit) == 0 else { return 0 }
      limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, wanted))
      if setrlimit(descriptors, &limit) == 0 { break }
    }
    guard getrlimit(descriptors, &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }
}
