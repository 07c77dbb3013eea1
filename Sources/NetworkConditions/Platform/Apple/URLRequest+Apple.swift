#if canImport(Darwin)
  import URLLoading

  extension URLRequest {
    var assumesHTTP3: Bool { assumesHTTP3Capable }
  }
#endif
