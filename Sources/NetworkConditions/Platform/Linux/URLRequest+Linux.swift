#if !canImport(Darwin)
  import URLLoading

  extension URLRequest {
    /// Whether the client assumes that the server speaks HTTP/3; Foundation on Linux has no such property.
    var assumesHTTP3: Bool { false }
  }
#endif
