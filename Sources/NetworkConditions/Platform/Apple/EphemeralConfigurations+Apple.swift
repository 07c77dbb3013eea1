#if !canImport(FoundationNetworking)
  import URLLoading

  /// Makes ephemeral configurations without a cache, for a network's own sessions.
  enum EphemeralConfigurations {
    static func make() -> URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      return configuration
    }
  }
#endif
