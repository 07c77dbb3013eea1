#if !os(Linux)
  func preferredReadiness() -> any Readiness { DispatchReadiness() }
#endif
