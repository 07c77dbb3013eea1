import Foundation

/// The constants and calls for sockets that systems define differently.
package enum SystemSocket {
  #if canImport(Darwin)
    /// The type of a socket that carries a stream.
    package static let stream: Int32 = SOCK_STREAM
    /// How bytes are sent so that a broken connection sends no signal: by an option of the socket (`SO_NOSIGPIPE`).
    package static let sendFlags: Int32 = 0
    /// Sees to it that a broken connection sends no signal.
    package static func silence(_ descriptor: Int32) {
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
  #else
    /// The type of a socket that carries a stream.
    package static let stream = Int32(SOCK_STREAM.rawValue)
    /// How bytes are sent so that a broken connection sends no signal.
    package static let sendFlags = Int32(MSG_NOSIGNAL)
    /// Sees to it that a broken connection sends no signal: that is asked with each call here.
    package static func silence(_ descriptor: Int32) {}
  #endif

  /// Lets the process have as many descriptors as it may, and says how many those are.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    #if canImport(Darwin)
      let resource: Int32 = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard getrlimit(resource, &limit) == 0 else { return 0 }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 1 << 20))
    _ = setrlimit(resource, &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
