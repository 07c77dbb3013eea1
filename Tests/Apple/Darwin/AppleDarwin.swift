// swift-format-ignore-file: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

// The C library, as far as Darwin has something that Glibc has not.
@_exported public import Glibc

/// Darwin: a broken pipe sends no signal (`sys/socket.h`).
public let SO_NOSIGPIPE: Int32 = 0x1022
/// Darwin: how much of what was sent has not been acknowledged (`sys/socket.h`).
public let SO_NWRITE: Int32 = 0x1024

/// Answers `SO_NWRITE` by what Linux has in its place.
public func getsockopt(
  _ socket: Int32, _ level: Int32, _ option: Int32, _ value: inout Int32, _ size: inout socklen_t
) -> Int32 {
  option == SO_NWRITE ? ioctl(socket, UInt(TIOCOUTQ), &value) : Glibc.getsockopt(socket, level, option, &value, &size)
}

extension stat {
  /// Darwin's name for the time of the last change (`sys/stat.h`).
  public var st_mtimespec: timespec { st_mtim }
}

extension sigaction {
  /// Darwin's union of handlers (`sys/signal.h`).
  public struct Handlers {
    public var __sa_sigaction:
      (@convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void)?
  }
  public var __sigaction_u: Handlers {
    get { Handlers(__sa_sigaction: __sigaction_handler.sa_sigaction) }
    set { __sigaction_handler.sa_sigaction = newValue.__sa_sigaction }
  }
}

/// Darwin's threads are known by a pointer (`pthread.h`).
public func pthread_self() -> OpaquePointer {
  guard let thread = OpaquePointer(bitPattern: UInt(Glibc.pthread_self())) else {
    fatalError("a thread has an address")
  }
  return thread
}

/// Darwin's constant is a number of its own type's width (`sys/socket.h`).
public let SOCK_STREAM = Int32(Glibc.SOCK_STREAM.rawValue)

/// Darwin's constant is a number of its own type's width (`sys/resource.h`).
public let RLIMIT_NOFILE = Int32(Glibc.RLIMIT_NOFILE.rawValue)
