#if !os(Linux)
  /// The way in which a loop learns of sockets: there is no epoll.
  func preferredReadiness() -> any Readiness { DispatchReadiness() }
#endif
