#if !canImport(Darwin)
  import Foundation

  extension SystemSocket {
    package static let stream = Int32(SOCK_STREAM.rawValue)
    /// The flags for `send` that prevent SIGPIPE when the peer has closed the connection.
    package static let sendFlags = Int32(MSG_NOSIGNAL)
    /// The resource number of the descriptor limit, for `getrlimit`.
    static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Does nothing: on Linux ``sendFlags`` prevents SIGPIPE.
    package static func silence(_ descriptor: Int32) {}
  }
#endif
