#if canImport(FoundationNetworking)
  import Internals
  import URLLoading

  /// The limits of Foundation's support for custom protocols on Linux.
  ///
  /// A custom protocol refuses a task that hits one at once, with an error that names the remedy.
  enum FoundationLimits {
    static func refusal(of urlProtocol: URLProtocol) -> URLError? {
      // For speed: nearly all tasks are data tasks, and a cast searches the class hierarchy.
      guard let task = urlProtocol.task, type(of: task) != URLSessionDataTask.self else { return nil }
      let url = urlProtocol.request.url
      if let task = task as? URLSessionWebSocketTask {
        // Only the task itself reports an error to code that waits for its messages.
        task.cancel()
        return .refused(
          .platformLimit, .unsupportedURL, url: url, because: "WebSocket tasks cannot be simulated.")
      }
      if task is URLSessionDownloadTask {
        // Measured: the delegate and async forms abort the process. The completion handler gets neither file nor error
        // (swift-corelibs-foundation issues 5465 and 3367).
        return .refused(
          .platformLimit, .unsupportedURL, url: url,
          because: """
            Foundation on Linux cannot run a download task over a custom URLProtocol. \
            Use a data task, or the network's own download(for:).
            """)
      }
      return nil
    }

    /// A URL that Foundation's own protocols can load: they know only lowercase schemes.
    static func loadable(_ url: URL) -> URL {
      guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
      parts.scheme = parts.scheme?.lowercased()
      return parts.url ?? url
    }

    /// Whether Foundation's default handling would hang the task, as after a challenge with a complete 401 answer.
    static func neverEnds(after challenge: URLAuthenticationChallenge) -> Bool { challenge.failureResponse != nil }

    /// The error of one of Foundation's own streams; reading the error of other streams can end the process.
    static func error(of stream: InputStream) -> any Error {
      guard type(of: stream) == InputStream.self, stream.streamStatus == .error else { return URLError(.unknown) }
      return stream.streamError ?? URLError(.unknown)
    }

    /// The error of a task whose context was not found: its client could not be called later.
    static func noContext(_ url: URL?) -> URLError {
      .refused(
        .platformLimit, .unsupportedURL, url: url,
        because: """
          This version of Foundation hides the task's work queue, so its client cannot be called safely. \
          Use the network's own data(for:), bytes(for:), upload(for:from:) and download(for:).
          """)
    }

    static func refusal(of head: ResponseHead, from url: URL) -> URLError? {
      // Measured: without a delegate, a 401 with a Basic challenge hangs. With one, Foundation's own protocol sends the
      // request to the real host. Other schemes work.
      guard head.status == 401, head.headers.contains(where: isBasicChallenge) else { return nil }
      return .refused(
        .platformLimit, .userAuthenticationRequired, url: url,
        because: """
          The server answered 401 with a Basic challenge, which Foundation on Linux would answer outside the simulation. \
          Send the Authorization header yourself, or use the network's own data(for:), which hands you the 401.
          """)
    }

    /// Whether Foundation finds a Basic challenge in a field: it reads the word after each comma (`_HTTPMessage._Challenge`).
    private static func isBasicChallenge(_ field: HeaderField) -> Bool {
      ASCII.equalIgnoringCase(field.name, "WWW-Authenticate")
        && field.value.split(separator: ",").contains { part in
          let scheme = part.drop { $0.isWhitespace }.prefix { !$0.isWhitespace && $0 != "=" }
          return ASCII.equalIgnoringCase(String(scheme), "Basic")
        }
    }
  }
#endif
