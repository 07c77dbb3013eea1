#if canImport(Darwin)
  import URLLoading

  extension URLRequest {
    /// Whether the client assumes that the server speaks HTTP/3.
    var assumesHTTP3: Bool { assumesHTTP3Capable }
  }
#endif
