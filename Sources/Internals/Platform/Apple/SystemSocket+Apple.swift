#if canImport(Darwin)
  import Foundation

  extension SystemSocket {
    package static let stream: Int32 = SOCK_STREAM
    /// The flags for `send`; here a socket option (`SO_NOSIGPIPE`) prevents SIGPIPE instead.
    package static let sendFlags: Int32 = 0
    /// The resource number of the descriptor limit, for `getrlimit`.
    static let descriptors: Int32 = RLIMIT_NOFILE

    /// Prevents SIGPIPE when the peer of this socket has closed the connection.
    package static func silence(_ descriptor: Int32) {
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#endif
