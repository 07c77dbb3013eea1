#if !canImport(FoundationNetworking)
  import URLLoading

  /// Ephemeral configurations without a cache, for the sessions that a network makes itself.
  enum EphemeralConfigurations {
    static func make() -> URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      return configuration
    }
  }
#endif
