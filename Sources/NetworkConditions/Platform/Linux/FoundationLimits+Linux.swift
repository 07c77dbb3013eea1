#if canImport(FoundationNetworking)
  import Internals
  import URLLoading

  /// The places where Foundation does less than it documents.
  ///
  /// A custom protocol refuses what it cannot do there at once, in a clear sentence that names the way out.
  enum FoundationLimits {
    /// Why a task cannot be simulated; `nil` when it can.
    static func refusal(of urlProtocol: URLProtocol) -> URLError? {
      // The comparison is for speed alone: nearly all tasks are data tasks, and a cast walks through the classes.
      guard let task = urlProtocol.task, type(of: task) != URLSessionDataTask.self else { return nil }
      let url = urlProtocol.request.url
      if let task = task as? URLSessionWebSocketTask {
        // Whoever waits for its messages is told of an error only by the task itself.
        task.cancel()
        return .refused(
          .platformLimit, .unsupportedURL, url: url, because: "WebSocket tasks cannot be simulated.")
      }
      if task is URLSessionDownloadTask {
        // Measured: delegate and async forms abort the process, the completion handler gets neither file nor error
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

    /// A URL that Foundation's own protocols load: they know schemes in lower case only.
    static func loadable(_ url: URL) -> URL {
      guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
      parts.scheme = parts.scheme?.lowercased()
      return parts.url ?? url
    }

    /// Whether a task would never end after the default handling of a challenge: it is asked for once the 401 has come whole.
    static func neverEnds(after challenge: URLAuthenticationChallenge) -> Bool { challenge.failureResponse != nil }

    /// The error of a stream: to ask for one that is not there is fatal, and only Foundation's own are sure to have one.
    static func error(of stream: InputStream) -> any Error {
      guard type(of: stream) == InputStream.self, stream.streamStatus == .error else { return URLError(.unknown) }
      return stream.streamError ?? URLError(.unknown)
    }

    /// Why a task's client cannot be called later: its context cannot be found.
    static func noContext(_ url: URL?) -> URLError {
      .refused(
        .platformLimit, .unsupportedURL, url: url,
        because: """
          This version of Foundation hides the task's work queue, so its client cannot be called safely. \
          Use the network's own data(for:), bytes(for:), upload(for:from:) and download(for:).
          """)
    }

    /// Why an answer cannot be handed over; `nil` when it can.
    static func refusal(of head: ResponseHead, from url: URL) -> URLError? {
      // Measured: a 401 with a Basic challenge hangs without a delegate, and with one is sent again, by Foundation's
      // own protocol, to the real host. Other schemes pass.
      guard head.status == 401, let challenge = head["WWW-Authenticate"],
        challenge.range(of: "basic", options: .caseInsensitive) != nil
      else { return nil }
      return .refused(
        .platformLimit, .userAuthenticationRequired, url: url,
        because: """
          The server answered 401 with a Basic challenge, which Foundation on Linux would answer past the simulation. \
          Send the Authorization header yourself, or use the network's own data(for:), which hands you the 401.
          """)
    }
  }
#endif
