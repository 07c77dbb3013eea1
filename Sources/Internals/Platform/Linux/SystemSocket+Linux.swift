#if !canImport(Darwin)
  import Foundation

  extension SystemSocket {
    /// The type of a socket that carries a stream.
    package static let stream = Int32(SOCK_STREAM.rawValue)
    /// How bytes are sent so that a broken connection sends no signal.
    package static let sendFlags = Int32(MSG_NOSIGNAL)
    /// The limit of a process's descriptors, as the calls name it.
    static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Sees to it that a broken connection sends no signal: that is asked with each call here.
    package static func silence(_ descriptor: Int32) {}
  }
#endif
