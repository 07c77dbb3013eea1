#if canImport(FoundationNetworking)
  import URLLoading

  extension SharedSessionInterception {
    /// Adds the class to the shared session; on Linux `URLSession.configuration` is the very object that the session uses.
    static func install(_ slot: AnyClass) -> Bool {
      let configuration = URLSession.shared.configuration
      configuration.protocolClasses = [slot] + (configuration.protocolClasses ?? [])
      return URLSession.shared.configuration.protocolClasses?.first.map { $0 == slot } ?? false
    }

    static func remove(_ slot: AnyClass) {
      let configuration = URLSession.shared.configuration
      configuration.protocolClasses = configuration.protocolClasses?.filter { $0 != slot }
    }
  }
#endif
