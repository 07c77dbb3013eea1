#if canImport(Darwin)
  import Foundation

  extension SystemSocket {
    /// The type of a socket that carries a stream.
    package static let stream: Int32 = SOCK_STREAM
    /// How bytes are sent so that a broken connection sends no signal: by an option of the socket (`SO_NOSIGPIPE`).
    package static let sendFlags: Int32 = 0
    /// The limit of a process's descriptors, as the calls name it.
    static let descriptors: Int32 = RLIMIT_NOFILE

    /// Sees to it that a broken connection sends no signal.
    package static func silence(_ descriptor: Int32) {
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
  }
#endif
