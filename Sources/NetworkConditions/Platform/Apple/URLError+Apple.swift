#if !canImport(FoundationNetworking)
  import URLLoading

  extension URLError {
    /// Creates the error of a native task; on Apple platforms its code is already right.
    init(native error: any Error, behindHead: Bool) {
      self = URLError(wrapping: error)
    }
  }
#endif
