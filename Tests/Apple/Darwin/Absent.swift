// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary, NoLeadingUnderscores

// Names that Glibc has and Darwin, or Swift on Darwin, lacks. They have Glibc's signatures, so they hide Glibc's own.

@available(*, unavailable, message: "not in Darwin")
public func sem_timedwait(_: UnsafeMutablePointer<sem_t>, _: UnsafePointer<timespec>) -> Int32 { fatalError() }
@available(*, unavailable, message: "fails on Darwin with ENOSYS")
public func sem_init(_: UnsafeMutablePointer<sem_t>, _: Int32, _: UInt32) -> Int32 { fatalError() }
@available(*, unavailable, message: "not in Darwin")
public func clock_nanosleep(
  _: clockid_t, _: Int32, _: UnsafePointer<timespec>?, _: UnsafeMutablePointer<timespec>?
) -> Int32 { fatalError() }
@available(*, unavailable, message: "not in Darwin")
public func pthread_mutex_timedlock(_: UnsafeMutablePointer<pthread_mutex_t>, _: UnsafePointer<timespec>) -> Int32 {
  fatalError()
}
@available(*, unavailable, message: "not in Darwin's headers")
public func fdatasync(_: Int32) -> Int32 { fatalError() }
@available(*, unavailable, message: "has other parameters in Darwin")
public func sendfile(_: Int32, _: Int32, _: UnsafeMutablePointer<off_t>?, _: Int) -> Int { fatalError() }
@available(*, unavailable, message: "Darwin's threads are pointers")
public func pthread_create(
  _: UnsafeMutablePointer<Glibc.pthread_t>, _: UnsafePointer<pthread_attr_t>?,
  _: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }
@available(*, unavailable, message: "Darwin's threads are pointers")
public func pthread_self() -> Glibc.pthread_t { fatalError() }
@available(*, unavailable, message: "Darwin's threads are pointers")
public func pthread_detach(_: Glibc.pthread_t) -> Int32 { fatalError() }
@available(*, unavailable, message: "not in Darwin")
public let MSG_NOSIGNAL = 0
@available(*, unavailable, message: "not in Darwin")
public let CLOCK_BOOTTIME: Int32 = 0
@available(*, unavailable, message: "not in Darwin")
public let SOCK_CLOEXEC: Int32 = 0
@available(*, unavailable, message: "not in Darwin")
public let EREMOTEIO: Int32 = 0
@available(*, unavailable, message: "not in Darwin")
public let TIOCOUTQ: Int32 = 0
@available(*, unavailable, message: "not in Darwin")
public let TCP_QUICKACK: Int32 = 0
@available(*, unavailable, message: "not in Darwin")
public let TCP_USER_TIMEOUT: Int32 = 0
@available(*, unavailable, message: "Darwin's Swift module hides it")
public func fork() -> pid_t { fatalError() }
@available(*, unavailable, message: "Darwin's Swift module hides it")
public func vfork() -> Int32 { fatalError() }

#if APPLE_DEVICE
  // Names that macOS has and that iOS, tvOS or watchOS lack.
  @available(*, unavailable, message: "macOS only")
  open class Process: NSObject {
    public override init() {}
  }
  @available(*, unavailable, message: "not on tvOS and watchOS")
  public func sigaltstack(_: UnsafePointer<stack_t>?, _: UnsafeMutablePointer<stack_t>?) -> Int32 { fatalError() }
  @available(*, unavailable, message: "not on tvOS and watchOS")
  public func execv(_: UnsafePointer<CChar>, _: UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32 { fatalError() }
  @available(*, unavailable, message: "not on tvOS and watchOS")
  public func posix_spawn(
    _: UnsafeMutablePointer<pid_t>?, _: UnsafePointer<CChar>, _: UnsafePointer<posix_spawn_file_actions_t>?,
    _: UnsafePointer<posix_spawnattr_t>?, _: UnsafePointer<UnsafeMutablePointer<CChar>?>,
    _: UnsafePointer<UnsafeMutablePointer<CChar>?>?
  ) -> Int32 { fatalError() }
#endif
