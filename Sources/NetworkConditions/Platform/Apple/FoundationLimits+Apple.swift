#if !canImport(FoundationNetworking)
  import URLLoading

  /// Refuses what Foundation cannot do with a custom protocol: nothing that a protocol would be asked for.
  enum FoundationLimits {
    static func refusal(of urlProtocol: URLProtocol) -> URLError? { nil }
    static func refusal(of head: ResponseHead, from url: URL) -> URLError? { nil }
    static func noContext(_ url: URL?) -> URLError { .simulated(.unknown, url: url, because: "There is no run loop.") }
  }
#endif
