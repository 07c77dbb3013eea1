#if !canImport(FoundationNetworking)
  import URLLoading

  extension URLError {
    /// The error of a native task, whose code says already what happened.
    ///
    /// - Parameter behindHead: whether the head of the answer had come.
    init(native error: any Error, behindHead: Bool) {
      self = URLError(wrapping: error)
    }
  }
#endif
