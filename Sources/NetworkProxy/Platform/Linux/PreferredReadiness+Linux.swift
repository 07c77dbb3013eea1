#if os(Linux)
  /// epoll: it is as fast as Dispatch's sources (`Benchmarks proxy`), takes no threads of its own and no two sources
  /// for each socket.
  func preferredReadiness() -> any Readiness { EpollReadiness() }
#endif
