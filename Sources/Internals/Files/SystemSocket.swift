import Foundation

/// What systems call differently in the calls for sockets.
package enum SystemSocket {
  #if canImport(Darwin)
    /// The type of a socket that carries a stream.
    package static let stream: Int32 = SOCK_STREAM
    /// How bytes are sent so that a broken connection sends no signal: by an option of the socket (`SO_NOSIGPIPE`).
    package static let sendFlags: Int32 = 0
  #else
    /// The type of a socket that carries a stream.
    package static let stream = Int32(SOCK_STREAM.rawValue)
    /// How bytes are sent so that a broken connection sends no signal.
    package static let sendFlags = Int32(MSG_NOSIGNAL)
  #endif
}
