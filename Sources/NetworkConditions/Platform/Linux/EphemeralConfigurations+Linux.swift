#if canImport(FoundationNetworking)
  import Internals
  import URLLoading

  /// Makes ephemeral configurations without a cache, for a network's own sessions.
  ///
  /// Foundation creates a cache with each ephemeral configuration. For that it looks up the user's folders and the
  /// environment, which takes 44 µs, a twentieth of a simulation. These configurations reuse the stores of earlier ones
  /// that are empty and not in use.
  enum EphemeralConfigurations {
    private struct Stores {
      var cookies: HTTPCookieStorage
      var credentials: URLCredentialStorage

      var areAsNew: Bool {
        mutating get {
          isKnownUniquelyReferenced(&cookies) && isKnownUniquelyReferenced(&credentials)
            && cookies.cookieAcceptPolicy == EphemeralConfigurations.policy && cookies.cookies?.isEmpty != false
            && credentials.allCredentials.isEmpty
        }
      }
    }

    /// How many stores to keep: more than the usual number of sessions in use at once.
    private static let mostStores = 16
    private static let known = Mutex<[Stores]>([])
    private static let policy = URLSessionConfiguration.ephemeral.httpCookieStorage?.cookieAcceptPolicy
    private static let bare: URLSessionConfiguration = {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.httpCookieStorage = nil
      configuration.urlCredentialStorage = nil
      return configuration
    }()

    /// Returns a configuration that shares nothing with any other in use.
    static func make() -> URLSessionConfiguration {
      known.withLock { known in
        if let index = known.indices.first(where: { known[$0].areAsNew }),
          let copy = bare.copy() as? URLSessionConfiguration
        {
          (copy.httpCookieStorage, copy.urlCredentialStorage) = (known[index].cookies, known[index].credentials)
          return copy
        }
        let fresh = URLSessionConfiguration.ephemeral
        fresh.urlCache = nil
        if known.count < mostStores, let cookies = fresh.httpCookieStorage,
          let credentials = fresh.urlCredentialStorage
        {
          known.append(Stores(cookies: cookies, credentials: credentials))
        }
        return fresh
      }
    }
  }
#endif
