#if os(Linux)
  /// Prefers epoll: as fast as Dispatch sources (`Benchmarks proxy`), but without extra threads or two sources per socket.
  func preferredReadiness() -> any Readiness { EpollReadiness() }
#endif
