#if canImport(FoundationNetworking)
  import URLLoading

  extension URLError {
    /// Creates a native task's error with Apple's code where Linux's is known to differ, and wraps Linux's.
    init(native error: any Error, behindHead: Bool) {
      let error = URLError(wrapping: error)
      let code = error.codeOnApple(behindHead: behindHead)
      guard code != error.code else {
        self = error
        return
      }
      var info = error.userInfo
      info[NSUnderlyingErrorKey] = error as NSError
      self.init(code, userInfo: info)
    }

    private func codeOnApple(behindHead: Bool) -> Code {
      switch code {
      // "Empty reply from server": the connection closed before the answer's first byte.
      case .badServerResponse: return .networkConnectionLost
      // The scheme was checked before, so the server's bytes are not HTTP.
      case .unsupportedURL: return .cannotParseResponse
      case .unknown:
        // Only libcurl's text tells these apart.
        let text = localizedDescription.lowercased()
        func mentions(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        if mentions("content unencoding") { return .cannotDecodeRawData }
        if mentions("content encoding type") { return .cannotDecodeContentData }
        if mentions("chunked-encoding", "content-length") { return .cannotParseResponse }
        if behindHead { return .networkConnectionLost }
        if mentions("certificate has expired") { return .serverCertificateHasBadDate }
        if mentions("certificate is not yet valid") { return .serverCertificateNotYetValid }
        if mentions("certificate problem", "certificate subject name") { return .serverCertificateUntrusted }
        if mentions("ssl", "tls", "certificate") { return .secureConnectionFailed }
        if mentions("connect to", "connect fail") { return .cannotConnectToHost }
        if mentions("connection", "recv failure", "send failure") { return .networkConnectionLost }
        return .unknown
      default: return code
      }
    }
  }
#endif
