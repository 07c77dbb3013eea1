#if canImport(FoundationNetworking)
  import URLLoading

  extension SharedSessionInterception {
    /// Adds the class to a session; on Linux `URLSession.configuration` is the very object that the session uses.
    static func install(_ slot: AnyClass, in session: URLSession = .shared) -> Bool {
      let configuration = session.configuration
      configuration.protocolClasses = [slot] + (configuration.protocolClasses ?? [])
      return session.configuration.protocolClasses?.first.map { $0 == slot } ?? false
    }

    static func remove(_ slot: AnyClass, from session: URLSession = .shared) {
      let configuration = session.configuration
      configuration.protocolClasses = configuration.protocolClasses?.filter { $0 != slot }
    }
  }
#endif
