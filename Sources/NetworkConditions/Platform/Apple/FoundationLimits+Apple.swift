#if !canImport(FoundationNetworking)
  import URLLoading

  /// The known limits of Foundation's support for custom URL protocols; on Apple platforms there are none.
  enum FoundationLimits {
    static func refusal(of urlProtocol: URLProtocol) -> URLError? { nil }
    static func refusal(of head: ResponseHead, from url: URL) -> URLError? { nil }
    static func loadable(_ url: URL) -> URL { url }
    static func neverEnds(after challenge: URLAuthenticationChallenge) -> Bool { false }
    static func error(of stream: InputStream) -> any Error { stream.streamError ?? URLError(.unknown) }
    static func noContext(_ url: URL?) -> URLError { .simulated(.unknown, url: url, because: "There is no run loop.") }
  }
#endif
