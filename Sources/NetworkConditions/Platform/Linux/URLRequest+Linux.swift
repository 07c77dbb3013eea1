#if !canImport(Darwin)
  import URLLoading

  extension URLRequest {
    /// Whether its client takes the server to speak HTTP/3: a request of Foundation on Linux cannot say so.
    var assumesHTTP3: Bool { false }
  }
#endif
