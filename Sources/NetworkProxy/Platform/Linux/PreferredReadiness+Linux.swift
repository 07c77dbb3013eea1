#if os(Linux)
  /// The way in which a loop learns of sockets: epoll.
  ///
  /// Measured side by side (`Benchmarks proxy`): epoll carries 0.88 to 1.25 of the bytes that Dispatch's sources do, and accepts
  /// 0.2 to 2.5 times as many connections; what else the machine does makes more of a difference than they do. Epoll takes no
  /// threads of its own and no two sources for each socket. Hence it is preferred.
  func preferredReadiness() -> any Readiness { EpollReadiness() }
#endif
