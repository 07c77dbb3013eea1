#if canImport(Darwin)
  import URLLoading

  extension URLRequest {
    /// Whether its client takes the server to speak HTTP/3 before it has said so.
    var assumesHTTP3: Bool { assumesHTTP3Capable }
  }
#endif
