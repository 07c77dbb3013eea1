// swift-format-ignore-file: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

// Darwin's C library, and the parts of Foundation below URL loading. Modules of the copy import this instead of Glibc
// and Foundation, so a declaration here hides Glibc's declaration of the same name.
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import Glibc

/// Darwin: a broken pipe sends no signal (`sys/socket.h`).
public let SO_NOSIGPIPE: Int32 = 0x1022
/// Darwin: the number of sent bytes that have not been acknowledged (`sys/socket.h`).
public let SO_NWRITE: Int32 = 0x1024

/// Answers `SO_NWRITE` by Linux's `TIOCOUTQ`. There is no `SO_NOSIGPIPE`: the tests ignore the signal.
public func getsockopt(
  _ socket: Int32, _ level: Int32, _ option: Int32, _ value: inout Int32, _ size: inout socklen_t
) -> Int32 {
  option == SO_NWRITE
    ? ioctl(socket, UInt(Glibc.TIOCOUTQ), &value) : Glibc.getsockopt(socket, level, option, &value, &size)
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

// Darwin's threads are pointers (`pthread.h`).
public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public func pthread_self() -> pthread_t {
  guard let thread = pthread_t(bitPattern: UInt(Glibc.pthread_self())) else { fatalError("a thread has an address") }
  return thread
}

// Darwin's constants are 32-bit numbers (`sys/socket.h`, `sys/resource.h`, `netinet/in.h`).
public let SOCK_STREAM = Int32(Glibc.SOCK_STREAM.rawValue)
public let RLIMIT_NOFILE = Int32(Glibc.RLIMIT_NOFILE.rawValue)
public let SHUT_RD = Int32(Glibc.SHUT_RD)
public let SHUT_WR = Int32(Glibc.SHUT_WR)
public let SHUT_RDWR = Int32(Glibc.SHUT_RDWR)
public let IPPROTO_TCP = Int32(Glibc.IPPROTO_TCP)
public let IPPROTO_IPV6 = Int32(Glibc.IPPROTO_IPV6)
public let SS_DISABLE = Int32(Glibc.SS_DISABLE)
public let TIOCGWINSZ = UInt(Glibc.TIOCGWINSZ)
public typealias nfds_t = UInt32
/// Darwin reports only requested events: without a request not even a hang-up (`poll_nocancel` in XNU).
@discardableResult public func poll(_ ends: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ milliseconds: Int32)
  -> Int32
{
  var asked = Array(UnsafeBufferPointer(start: ends, count: Int(count)))
  for index in asked.indices where asked[index].events == 0 { asked[index].fd = -1 }
  let result = Glibc.poll(&asked, UInt(count), milliseconds)
  for (index, end) in asked.enumerated() { ends[index].revents = end.revents }
  return result
}

#if os(Linux) && !APPLE_DEVICE
  // macOS (`libproc.h`).
  public struct proc_taskinfo {
    public var pti_resident_size: UInt64 = 0
    public init() {}
  }
  public let PROC_PIDTASKINFO: Int32 = 4
  public func proc_pidinfo(
    _ process: Int32, _ flavor: Int32, _ argument: UInt64, _ buffer: UnsafeMutableRawPointer?, _ size: Int32
  ) -> Int32 {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ UInt64($0) })
    else { return 0 }
    buffer?.assumingMemoryBound(to: proc_taskinfo.self).pointee.pti_resident_size = pages * 4_096
    return size
  }
#endif
