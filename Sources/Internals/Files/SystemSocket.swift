import Foundation

/// The constants and calls for sockets that systems define differently.
package enum SystemSocket {
  /// Lets the process have as many descriptors as it may, and says how many those are.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(descriptors, &limit) == 0 else { return 0 }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 1 << 20))
    _ = setrlimit(descriptors, &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
