import Foundation

/// The constants and calls for sockets that systems define differently.
package enum SystemSocket {
  /// Lets the process have as many descriptors as it may, and says how many those are.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    // macOS refuses more than OPEN_MAX (10,240) or `kern.maxfilesperproc`, whatever the hard limit says.
    for wanted: rlim_t in [1 << 20, 10_240] {
      guard getrlimit(descriptors, &limit) == 0 else { return 0 }
      limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, wanted))
      if setrlimit(descriptors, &limit) == 0 { break }
    }
    guard getrlimit(descriptors, &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }
}
